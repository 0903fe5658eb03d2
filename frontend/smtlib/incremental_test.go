package smtlib

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// split returns the commands of a stream that hands on a few bytes at a time, and what is left at its end.
func split(t require.TestingT, text string) (commands []string, rest string) {
	stream := NewCommandStream(&slowReader{text})
	for {
		c, err := stream.Next()
		if errors.Is(err, io.EOF) {
			return commands, string(c)
		}
		require.NoError(t, err)
		commands = append(commands, string(c))
	}
}

type slowReader struct{ text string }

func (r *slowReader) Read(b []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(b, r.text[:1])
	r.text = r.text[n:]
	return n, nil
}

func TestCommandsOfAStream(t *testing.T) {
	commands, rest := split(t, "; (a\n(echo \"(\"\")\") (|)| ; )\n b)(c (d))\n foo (e))(f ;end")
	require.Equal(t, []string{"; (a\n(echo \"(\"\")\")", " (|)| ; )\n b)", "(c (d))", "\n foo ", "(e)", ")", "(f ;end"}, commands)
	require.Empty(t, rest)
	require.Equal(t, "echo", CommandWord([]byte(commands[0])))
	require.Empty(t, CommandWord([]byte(commands[3])))
	require.Empty(t, CommandWord([]byte("(\"")))
	_, rest = split(t, "(a) ; end")
	require.Equal(t, " ; end", rest)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"(", ")", "a", " ", "\n", ";", "\"", "|", "(b c)"})).Draw(t, "text"), "")
		commands, rest := split(t, text)
		require.Equal(t, text, strings.Join(commands, "")+rest)
	})
}

// A script after any commands is what Read makes of those that are in force, with their positions.
func TestIncrementalScriptsAreThoseInForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewIncremental("f")
		var text []byte
		var scopes []int
		names, wrong := 0, 0
		for range rapid.IntRange(1, 12).Draw(t, "commands") {
			command := rapid.SampledFrom([]string{
				"\n(declare-fun P# (Int) Bool)", " (assert (P@ 1))", "(assert (forall ((x Int)) (=> (P@ x) (and (P@ (+ x 1)) (P@ (- x 1))))))",
				"; a comment\n(declare-datatypes ((D# 0)) (((c#) (d# (e# Int)))))", "(define-fun m# ((x Int)) Bool (> x #))",
				"(assert (or (P@ true)))", "(declare-fun P@ () Bool)", "(assert (forall ((x Int)) (=> (P@ x) (or (P@ 1) (P@ 2)))))",
				"push", "pop", "reset",
			}).Draw(t, "command")
			switch command {
			case "push":
				s.Push(1)
				scopes = append(scopes, len(text))
			case "pop":
				require.Equal(t, len(scopes) > 0, s.Pop(1))
				if n := len(scopes); n > 0 {
					blank(text[scopes[n-1]:])
					scopes = scopes[:n-1]
				}
			case "reset":
				s.Reset()
				blank(text)
				scopes = nil
			default:
				names++
				latest := max(bytes.LastIndex(text, []byte("fun P")), 0)
				name := "0"
				if latest > 0 {
					name, _, _ = strings.Cut(string(text[latest+len("fun P"):]), " ")
				}
				command = strings.NewReplacer("#", string(rune('a'+names)), "@", name).Replace(command)
				expected, wantErr := Read("f", append(bytes.Clone(text), command...), term.NewPool())
				err := s.Command([]byte(command))
				text = append(text, command...)
				if wantErr != nil {
					require.Contains(t, err.Error(), wantErr.(*Error).Msg)
					if errors.Is(err, ErrUnsupported) {
						return
					}
					blank(text[len(text)-len(command):])
					wrong++
					continue
				}
				require.NoError(t, err)
				got, err := s.Script()
				require.NoError(t, err)
				require.Equal(t, printed(t, expected.System), printed(t, got.System))
			}
		}
		got, err := s.Script()
		require.NoError(t, err)
		want, err := Read("f", text, term.NewPool())
		require.NoError(t, err)
		require.Equal(t, printed(t, want.System), printed(t, got.System))
	})
}

// printed is a system with the positions of its clauses.
func printed(t require.TestingT, s *chc.System) string {
	var b strings.Builder
	require.NoError(t, chc.Write(&b, s))
	for _, c := range s.Clauses {
		b.WriteString(c.Pos.String() + "\n")
	}
	return b.String()
}

// A command that is not supported is in force, as something unknown, until its scope is closed; options are not scoped.
func TestUnsupportedCommandsLeaveAScriptOpen(t *testing.T) {
	s := NewIncremental("f")
	s.Push(1)
	require.NoError(t, s.Command([]byte("(set-option :timeout 7)")))
	require.ErrorIs(t, s.Command([]byte("\n(assert-soft true)")), ErrUnsupported)
	require.NoError(t, s.Command([]byte("(declare-fun P () Bool)")))
	script, err := s.Script()
	require.ErrorIs(t, err, ErrUnsupported)
	require.ErrorContains(t, err, "f:2:2")
	require.Len(t, script.Declared, 1)
	require.True(t, s.Pop(1))
	script, err = s.Script()
	require.NoError(t, err)
	require.Empty(t, script.Declared)
	require.Equal(t, "7ms", script.Timeout.String())
	require.NoError(t, s.Command([]byte("(declare-fun P () Bool)(declare-fun Q () Bool)")))
	require.ErrorIs(t, s.Command([]byte("(assert (or P Q))")), ErrUnsupported)
	_, err = s.Script()
	require.ErrorContains(t, err, "not a Horn clause")
}
