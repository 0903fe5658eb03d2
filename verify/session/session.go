package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/bounded"
)

// Options say how a session decides and prints.
type Options struct {
	// Name is the input's, as it stands in positions.
	Name string
	In   io.Reader
	Out  io.Writer
	// Decide decides a script, with what the session remembers, and prints the answer. The context is the session's.
	Decide func(ctx context.Context, script *smtlib.Script, memory *Memory) (engine.Answer, error)
	// Undecided prints the answer to a check of a script that has commands which were unsupported.
	Undecided func(script *smtlib.Script, reason string) error
	// Model and Proof print the witness of the last check.
	Model, Proof func(*smtlib.Script, engine.Answer) error
	// Error prints what is wrong with a command. The session goes on where it returns nil. answered says that the session has
	// printed something before.
	Error func(wrong *smtlib.Error, answered bool) error
	// Always asks for a check at the end of a script that has none although it asserts something, or has unsupported commands.
	Always bool
	// Patience is how long the first check may be waited for; 0 is no limit.
	Patience time.Duration
	// BareEcho prints what echo has without its quotes, as z3 does.
	BareEcho bool
	// Version is Hornbeam's.
	Version string
}

// session is a running session.
type session struct {
	Options
	script *smtlib.Incremental
	memory Memory
	// answer is that of the last check since the clauses changed, of the script checked; nil where there is none.
	checked *smtlib.Script
	answer  engine.Answer
	// reason is why the last check ended as unknown.
	reason string
	checks int
	// answered says that a question other than a check, or a command that was confirmed, has been answered.
	answered bool
	// confirming says that print-success is on.
	confirming bool
}

// Run answers the commands of the input up to its end or exit. The error is one of writing, of Options.Error, or the end of ctx.
func Run(ctx context.Context, o Options) error {
	s := &session{Options: o, script: smtlib.NewIncremental(o.Name)}
	commands := smtlib.NewCommandStream(o.In)
	type next struct {
		text        []byte
		end, closed bool
	}
	reading, stop := portfolio.WithLimits(ctx, o.Patience, 0)
	defer stop()
	for {
		if s.checks > 0 {
			reading = ctx
		}
		n, err := bounded.Run(reading, func() (next, error) {
			text, err := commands.Next()
			if errors.Is(err, io.EOF) {
				return next{text: text, end: true}, nil
			}
			return next{text: text, closed: commands.Closed()}, err
		})
		switch {
		case errors.Is(err, bounded.ErrLeftBehind):
			return s.interrupted(reading)
		case err != nil:
			return fmt.Errorf("read %s: %w", o.Name, err)
		}
		word := ""
		if n.closed {
			// What is cut off in a command is an error, and not executed.
			word = smtlib.CommandWord(n.text)
		}
		if n.end || word == "exit" {
			if s.Always && s.checks == 0 && s.script.Asserts() {
				return s.check(ctx)
			}
			return nil
		}
		if err := s.command(ctx, word, n.text); err != nil {
			return err
		}
	}
}

// interrupted is the end of a session that was waiting for a command. One that has answered nothing yet says why.
func (s *session) interrupted(ctx context.Context) error {
	if s.checks == 0 {
		return s.Undecided(nil, portfolio.EndReason(ctx)+" while reading")
	}
	return nil
}

// command executes a command.
func (s *session) command(ctx context.Context, word string, text []byte) error {
	switch word {
	case "check-sat", "check-sat-assuming", "check-synth", "get-model", "get-proof", "get-value", "get-info", "get-option", "echo":
		return s.question(ctx, word, text)
	case "push", "pop":
		s.script.Skip(text)
		n, err := smtlib.Scopes(text)
		if err != nil {
			return s.wrong(text, "%s: %s", word, err)
		}
		if word == "push" {
			s.script.Push(n)
		} else if !s.script.Pop(n) {
			return s.wrong(text, "pop %d closes more scopes than are open, which are %d", n, s.script.Levels())
		}
	case "reset", "reset-assertions":
		s.script.Skip(text)
		s.script.Reset()
	case "get-assertions", "get-assignment", "get-unsat-assumptions", "get-unsat-core", "get-interpolants", "get-interpolant", "eval",
		"display", "labels", "help", "simplify":
		s.script.Skip(text)
		return s.wrong(text, "%s is not supported", word)
	default:
		err := s.script.Command(text)
		var wrong *smtlib.Error
		if errors.As(err, &wrong) && !wrong.Unsupported {
			return s.failed(wrong)
		}
		if err != nil && wrong == nil {
			return err
		}
		if word == "set-option" {
			s.setOption(text)
		}
	}
	s.checked = nil
	return s.confirm()
}

// setOption looks at an option of the session itself.
func (s *session) setOption(text []byte) {
	words := strings.Fields(strings.Trim(strings.TrimSpace(string(text)), "()"))
	if len(words) == 3 && words[1] == ":print-success" {
		s.confirming = words[2] == "true"
	}
}

// confirm prints success where that was asked for.
func (s *session) confirm() error {
	if !s.confirming {
		return nil
	}
	return s.print("success\n")
}

func (s *session) print(text string) error {
	s.answered = true
	_, err := io.WriteString(s.Out, text)
	return err
}

// wrong prints an error at the command that was passed over last.
func (s *session) wrong(command []byte, format string, args ...any) error {
	return s.failed(s.script.Error(command, format, args...))
}

func (s *session) failed(wrong *smtlib.Error) error {
	return s.Error(wrong, s.answered || s.checks > 0)
}

// question executes a command that has an answer.
func (s *session) question(ctx context.Context, word string, text []byte) error {
	switch word {
	case "check-sat-assuming":
		return s.checkAssuming(ctx, text)
	case "check-synth":
		if err := s.script.Command(text); err != nil {
			var wrong *smtlib.Error
			if errors.As(err, &wrong) {
				return s.failed(wrong)
			}
			return err
		}
		return s.check(ctx)
	}
	s.script.Skip(text)
	switch word {
	case "check-sat":
		return s.check(ctx)
	case "get-model":
		if s.checked == nil || s.answer.Verdict != engine.Sat {
			return s.wrong(text, "model is not available")
		}
		return s.Model(s.checked, s.answer)
	case "get-proof":
		if s.checked == nil || s.answer.Verdict != engine.Unsat {
			return s.wrong(text, "proof is not available")
		}
		return s.Proof(s.checked, s.answer)
	case "get-value":
		return s.values(text)
	case "get-info":
		return s.info(text)
	case "get-option":
		return s.print("unsupported\n")
	}
	return s.echo(text)
}

// check decides the script as it is.
func (s *session) check(ctx context.Context) error {
	s.checks++
	s.checked = nil
	script, err := s.script.Script()
	if err != nil {
		if !errors.Is(err, smtlib.ErrUnsupported) {
			return err
		}
		s.reason = engine.OneLine(err.Error())
		return s.Undecided(script, s.reason)
	}
	s.answer, err = s.Decide(ctx, script, &s.memory)
	s.checked, s.reason = script, s.answer.Reason
	return err
}

// checkAssuming decides the script with the literals of `(check-sat-assuming (literals))`, for which the command is read as an
// assertion of the same length.
func (s *session) checkAssuming(ctx context.Context, text []byte) error {
	begin := bytes.Index(text, []byte("check-sat-assuming"))
	list := bytes.IndexByte(text[begin:], '(')
	if list < 0 {
		s.script.Skip(text)
		return s.wrong(text, "check-sat-assuming needs a list of literals")
	}
	list += begin
	s.script.Push(1)
	defer s.script.Pop(1)
	if inner := bytes.TrimSpace(text[list+1:]); len(inner) > 0 && inner[0] != ')' {
		assertion := bytes.Clone(text)
		copy(assertion[begin:], "assert"+strings.Repeat(" ", list+1-begin-len("assert")))
		copy(assertion[list-4:], "(and ")
		if err := s.script.Command(assertion); err != nil {
			var wrong *smtlib.Error
			if !errors.As(err, &wrong) || !wrong.Unsupported {
				if wrong == nil {
					return err
				}
				return s.failed(wrong)
			}
		}
	} else {
		s.script.Skip(text)
	}
	return s.check(ctx)
}
