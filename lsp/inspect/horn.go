package inspect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/report"
	"hornbeam/frontend/smtlib"
	"hornbeam/frontend/trace"
	"hornbeam/internal/bounded"
	"hornbeam/lsp/document"
	"hornbeam/verify"
	"hornbeam/verify/session"
)

// readHorn reads a script command by command, so that one that is wrong does not hide those behind it.
func readHorn(ctx context.Context, f File) []Finding {
	var out []Finding
	script := smtlib.NewIncremental(f.Name)
	for command := range commands(f.Text) {
		if ctx.Err() != nil || len(out) >= report.Most {
			break
		}
		var err error
		switch {
		case command.word == "exit":
			return out
		case command.word == "push", command.word == "pop":
			script.Skip(command.text)
			n, wrong := smtlib.Scopes(command.text)
			switch {
			case wrong != nil:
				err = script.Error(command.text, "%s: %s", command.word, wrong)
			case command.word == "push":
				script.Push(n)
			case !script.Pop(n):
				err = script.Error(command.text, "pop %d closes more scopes than are open, which are %d", n, script.Levels())
			}
		case command.word == "reset", command.word == "reset-assertions":
			script.Skip(command.text)
			script.Reset()
		case command.asks():
			script.Skip(command.text)
		default:
			err = script.Command(command.text)
		}
		if err != nil {
			out = append(out, f.wrong(err)...)
		}
	}
	return out
}

// command is one of a script.
type command struct {
	text []byte
	word string
	// offset is that of its parenthesis.
	offset int
}

// asks reports whether a command has an answer.
func (c command) asks() bool {
	return c.checks() || strings.HasPrefix(c.word, "get-") || slices.Contains([]string{"echo", "eval", "display", "labels", "help", "simplify"}, c.word)
}

// checks reports whether a command has a verdict.
func (c command) checks() bool {
	return c.word == "check-sat" || c.word == "check-sat-assuming" || c.word == "check-synth"
}

// commands are those of a script, and what is none, in order.
func commands(text string) func(yield func(command) bool) {
	return func(yield func(command) bool) {
		offset := 0
		for stream := smtlib.NewCommandStream(strings.NewReader(text)); ; {
			part, err := stream.Next()
			if err != nil {
				return
			}
			c := command{text: part, word: smtlib.CommandWord(part)}
			c.offset = offset + space(part)
			offset += len(part)
			if !yield(c) {
				return
			}
		}
	}
}

// space is how many bytes of space and comments a command begins with.
func space(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ';':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			return i
		}
	}
	return len(text)
}

// verifyHorn decides the checks of a script, one after the other.
func verifyHorn(ctx context.Context, f File, publish func(Report)) {
	h := &horn{File: f, publish: publish, lines: document.New(f.Text)}
	for c := range commands(f.Text) {
		if c.checks() {
			h.places = append(h.places, c.offset)
		} else if c.word == "declare-fun" || c.word == "declare-rel" {
			h.declared = append(h.declared, c)
		}
	}
	if slices.ContainsFunc(readHorn(ctx, f), func(f Finding) bool { return f.Severity == Wrong }) {
		publish(h.report)
		return
	}
	nothing := func(*smtlib.Script, engine.Answer) error { return nil }
	// The error is the end of the context. Errors of commands are readHorn's, but for those of checks.
	_ = session.Run(ctx, session.Options{
		Name: f.Name, In: strings.NewReader(f.Text), Out: io.Discard, Always: true, Model: nothing, Proof: nothing,
		Decide: h.decide,
		Undecided: func(_ *smtlib.Script, reason string) error {
			h.verdict(Open, "unknown: "+f.short(reason), nil)
			return ctx.Err()
		},
		Error: func(e *smtlib.Error, _ bool) error {
			at := h.lines.Find(e.Pos, true)
			for i, check := range h.places {
				if check <= at && (i+1 == len(h.places) || at < h.places[i+1]) && h.done == i {
					h.done++
					h.report.Findings = append(h.report.Findings, f.wrong(e)...)
					publish(h.report)
				}
			}
			return ctx.Err()
		},
	})
}

// horn is a script that is being decided.
type horn struct {
	File
	publish func(Report)
	report  Report
	lines   *document.Text
	// places are the offsets of the checks, declared the declarations of predicates.
	places   []int
	declared []command
	// done counts the checks that have a verdict.
	done int
}

// verdict is the finding for the next check.
func (h *horn) verdict(severity Severity, message string, run []trace.Note) {
	at := 0
	if h.done < len(h.places) {
		at = h.places[h.done]
	} else if len(h.places) == 0 {
		at = space([]byte(h.Text))
	}
	h.done++
	h.report.Findings = append(h.report.Findings, Finding{Pos: h.position(at), Severity: severity, Message: message, Run: run})
	h.publish(h.report)
}

// position is the place of an offset.
func (h *horn) position(offset int) chc.Position {
	before := h.Text[:offset]
	return chc.Position{File: h.Name, Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])}
}

// decide decides a script, for its session.
func (h *horn) decide(ctx context.Context, script *smtlib.Script, memory *session.Memory) (engine.Answer, error) {
	limited, stop := h.limited(ctx)
	defer stop()
	if script.Timeout > 0 {
		var end context.CancelFunc
		limited, end = context.WithTimeout(limited, script.Timeout)
		defer end()
	}
	answer, err := bounded.Run(limited, func() (engine.Answer, error) {
		req := h.Settings.solver()
		req.System, req.Blocks = script.System, h.Settings.Program.Blocks
		return memory.Solve(limited, script, req), nil
	})
	if err != nil {
		answer = engine.Answer{Reason: h.mishap(limited, err)}
	}
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	switch answer.Verdict {
	case engine.Sat:
		h.model(script, answer.Model)
		h.verdict(Proved, "sat: the clauses have a model", nil)
	case engine.Unsat:
		run, failed := h.refutation(script, answer.Refutation)
		h.verdict(Broken, "unsat: the clauses have no model"+failed, run)
	default:
		h.verdict(Open, "unknown: "+h.short(answer.Reason), nil)
	}
	return answer, nil
}

// model takes the interpretations of a model, in place of those of an earlier check.
func (h *horn) model(script *smtlib.Script, m *witness.Model) {
	document, err := witness.ModelJSON(script.DeclaredSystem(), m)
	if err != nil {
		return
	}
	h.report.Facts, h.report.Insertions = nil, nil
	for _, p := range document.Predicates {
		name := term.QuoteSymbol(p.Name)
		applied, binders := name, make([]string, len(p.Parameters))
		for i, v := range p.Parameters {
			applied += " " + v.Name
			binders[i] = "(" + v.Name + " " + v.Sort + ")"
		}
		if len(p.Parameters) > 0 {
			applied = "(" + applied + ")"
		}
		fact := Fact{Name: p.Name, Lines: []string{fmt.Sprintf("(define-fun %s (%s) Bool %s)", name, strings.Join(binders, " "), p.Body)}}
		i := slices.IndexFunc(h.declared, func(c command) bool { return declares(c.text, name) })
		if i >= 0 {
			d := h.declared[i]
			fact.Pos = h.position(d.offset)
			h.report.Insertions = append(h.report.Insertions, verify.Insertion{
				Offset: d.offset, Text: "; " + engine.OneLine(applied+" = "+p.Body) + "\n" + h.indent(d.offset), Procedure: p.Name, Pos: fact.Pos,
				Conditions: []string{applied + " = " + p.Body},
			})
		}
		h.report.Facts = append(h.report.Facts, fact)
	}
}

// indent is the space before an offset in its line; nothing where there is more than space.
func (h *horn) indent(offset int) string {
	begin := h.Text[strings.LastIndexByte(h.Text[:offset], '\n')+1 : offset]
	if strings.TrimSpace(begin) != "" {
		return ""
	}
	return begin
}

// declares reports whether a command declares a name as it is printed.
func declares(text []byte, name string) bool {
	_, rest, _ := bytes.Cut(text, []byte("declare-"))
	_, rest, _ = bytes.Cut(rest, []byte(" "))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	plain := strings.Trim(name, "|")
	for _, written := range []string{name, "|" + plain + "|"} {
		if after, ok := bytes.CutPrefix(rest, []byte(written)); ok && (len(after) == 0 || bytes.IndexByte([]byte(" \t\r\n()"), after[0]) >= 0) {
			return true
		}
	}
	return false
}

// refutation is the steps of a refutation at their clauses, and what it says of the query.
func (h *horn) refutation(script *smtlib.Script, r *witness.Refutation) (run []trace.Note, failed string) {
	document, err := witness.RefutationJSON(script.System, r.Prune())
	if err != nil {
		return nil, ""
	}
	for _, s := range document.Steps {
		text := "false"
		if s.Head != nil {
			text = s.Head.Predicate
			if len(s.Head.Arguments) > 0 {
				text = "(" + strings.Join(append([]string{text}, s.Head.Arguments...), " ") + ")"
			}
			text += " is derived"
		} else {
			failed = ": this clause is violated"
			if s.Line > 0 {
				failed = fmt.Sprintf(": the clause in line %d is violated", s.Line)
			}
			text = "the violated clause"
		}
		if values := valuesOf(s.Values); values != "" {
			text += " with " + values
		}
		if s.Line > 0 {
			run = append(run, trace.Note{Pos: chc.Position{File: h.Name, Line: s.Line, Column: s.Column}, Text: text})
		}
	}
	return run[max(0, len(run)-mostRun):], failed
}

func valuesOf(values []witness.VariableDocument) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, v.Name+" = "+v.Value)
	}
	return strings.Join(parts, ", ")
}
