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
// reading goes on behind it. The end of the input is a notification exit, which comes behind all that was sent before.
type Stream struct {
	in *bufio.Reader
	// frames are the messages as they come; it is closed at the end of the input.
	frames chan []byte
	// ended says that exit was handed on.
	ended bool

	mu  sync.Mutex
	out io.Writer

	closed chan struct{}
	once   sync.Once
}

// NewStream returns the messages of a connection, which it reads until the end of the input.
func NewStream(in io.Reader, out io.Writer) *Stream {
	s := &Stream{in: bufio.NewReaderSize(in, maxHeader), out: out, frames: make(chan []byte), closed: make(chan struct{})}
	go func() {
		defer close(s.frames)
		for {
			message, err := s.read()
			if err != nil {
				return
			}
			select {
			case s.frames <- message:
			case <-s.closed:
				return
			}
		}
	}()
	return s
}

// exit is the message at the end of the input.
const exit = `{"jsonrpc": "2.0", "method": "exit"}`

// Recv returns the next message. The error is io.EOF behind the last one, and after Close.
func (s *Stream) Recv() ([]byte, error) {
	if !s.ended {
		select {
		case message, more := <-s.frames:
			if more {
				return message, nil
			}
			s.ended = true
			return []byte(exit), nil
		case <-s.closed:
		}
	}
	<-s.closed
	return nil, io.EOF
}

// read reads a message.
func (s *Stream) read() ([]byte, error) {
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
			return nil, err
		}
		return []byte("a message that is too long"), nil
	}
	// The length may be a lie: the memory grows with what comes.
	var body strings.Builder
	if _, err := io.CopyN(&body, s.in, length); err != nil {
		return nil, err
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
		return "", err
	}
	return strings.TrimRight(text, "\r\n"), nil
}

// Send writes a message.
func (s *Stream) Send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return err
}

// Close ends the waiting for messages. What is being sent is sent.
func (s *Stream) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}
