package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxMessage bounds a message that is read, in bytes, and maxHeader a line of its header.
	maxMessage = 256 << 20
	maxHeader  = 4096
)

// Stream has messages in the frames of the protocol: headers, an empty line, and as many bytes as the header Content-Length says. It is
// a channel of the library jrpc2. What is no frame is handed on as a message that is no JSON, which the library answers as such, and
// reading goes on behind it.
type Stream struct {
	in    *bufio.Reader
	mu    sync.Mutex
	out   io.Writer
	close func() error
}

// NewStream returns the messages of a connection. Close calls close.
func NewStream(in io.Reader, out io.Writer, close func() error) *Stream {
	return &Stream{in: bufio.NewReaderSize(in, maxHeader), out: out, close: close}
}

// Recv reads a message. The error is io.EOF at the end of the input, within a message too, or that of reading.
func (s *Stream) Recv() ([]byte, error) {
	length, wrong, empty := int64(-1), "", true
	for {
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if line == "" {
			if empty {
				continue
			}
			break
		}
		empty = false
		name, value, ok := strings.Cut(line, ":")
		switch {
		case !ok:
			wrong = "a header without a colon"
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
				length, wrong = -1, "a length that is no number"
			}
		}
	}
	switch {
	case length < 0:
		return []byte("a message without a length: " + wrong), nil
	case length > maxMessage:
		if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
			return nil, ended(err)
		}
		return []byte("a message that is too long"), nil
	}
	// The length may be a lie: the memory grows with what comes.
	var body strings.Builder
	if _, err := io.CopyN(&body, s.in, length); err != nil {
		return nil, ended(err)
	}
	return []byte(body.String()), nil
}

// line is the next line of a header. Of one that is too long the rest is passed over.
func (s *Stream) line() (string, error) {
	line, err := s.in.ReadSlice('\n')
	text := string(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = s.in.ReadSlice('\n')
	}
	if err != nil {
		return "", ended(err)
	}
	return strings.TrimRight(text, "\r\n"), nil
}

// ended is io.EOF for an input that ends in a message.
func ended(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return err
}

// Send writes a message.
func (s *Stream) Send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return err
}

// Close ends the connection.
func (s *Stream) Close() error { return s.close() }
