package corral

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/trace"
)

// runTrace is a run as Corral tells it: places with what happened there.
type runTrace struct {
	events []event
	// source says that places are those of the source where the program knows them.
	source bool
}

// event is one line.
type event struct {
	pos   chc.Position
	block string
	// extra is what stands in the parentheses.
	extra string
	// stack has the calls around the event, the outermost first; the last is the procedure of the event.
	stack []frame
}

// frame is a procedure that runs, and where it is.
type frame struct {
	procedure string
	pos       chc.Position
}

func newTrace(tree *ast.Program, t *trace.Trace, f *flags) *runTrace {
	c := &runTrace{source: f.source}
	labels := labelsOf(tree)
	place := func(s trace.Step) chc.Position {
		if c.source && s.Source.Line > 0 {
			return s.Source
		}
		return s.Pos
	}
	var stack []frame
	var calls []trace.Step
	for _, s := range t.Steps {
		if s.Kind == trace.Omitted || s.Kind == trace.Locals || c.source && t.Generated && s.Source.Line == 0 && s.Kind != trace.Error {
			continue
		}
		extra := ""
		switch s.Kind {
		case trace.Call:
			extra = "CALL " + s.Procedure
		case trace.Return:
			extra = "RETURN from " + s.Procedure + " "
			if n := len(calls); n > 0 && calls[n-1].Procedure == s.Procedure && calls[n-1].Depth == s.Depth {
				stack, calls = stack[:len(stack)-1], calls[:n-1]
			}
		case trace.Error:
			extra = "ASSERTION FAILS " + assertionText(tree, s) + "\n "
		case trace.Start:
			stack = append(stack, frame{procedure: s.Procedure})
		}
		if len(stack) > 0 {
			stack[len(stack)-1].pos = place(s)
		}
		add := func(extra string) {
			c.events = append(c.events, event{place(s), cmp.Or(labels[s.Pos], "anon0"), extra, append([]frame(nil), stack...)})
		}
		if values := namedValues(s); values != "" && (s.Kind == trace.Record || f.data > 0 && !t.Generated && s.Kind != trace.Error) {
			if extra != "" {
				add(extra)
			}
			add(values)
		} else {
			add(extra)
		}
		if s.Kind == trace.Call {
			stack, calls = append(stack, frame{s.Procedure, place(s)}), append(calls, s)
		}
	}
	// The run that fails leaves all calls.
	for i := len(calls) - 1; i >= 0; i-- {
		stack = stack[:len(stack)-1]
		c.events = append(c.events, event{place(calls[i]), cmp.Or(labels[calls[i].Pos], "anon0"), "RETURN from " + calls[i].Procedure + " ", append([]frame(nil), stack...)})
	}
	if n := len(c.events); n > 0 {
		done := c.events[n-1]
		done.extra = "Done"
		c.events = append(c.events, done)
	}
	return c
}

// assertionText is what failed, as Corral names it: the assertion with its attributes, or which kind of contract.
func assertionText(tree *ast.Program, s trace.Step) string {
	if a := findAssert(tree, s.Pos); a != nil {
		return ast.StatementString(a)
	}
	switch text := engine.OneLine(s.Text); {
	case strings.HasPrefix(text, "precondition"):
		return "assert " + text + "; : Requires"
	case strings.HasPrefix(text, "postcondition"):
		return "assert " + text + "; : Ensures"
	default:
		return "assert false; // " + text
	}
}

func namedValues(s trace.Step) string {
	var parts []string
	for _, v := range s.Values {
		parts = append(parts, v.Name+" = "+v.Value)
	}
	return strings.Join(parts, ", ")
}

// labelsOf tells for each statement under which label it stands.
func labelsOf(tree *ast.Program) map[chc.Position]string {
	labels := map[chc.Position]string{}
	for i := range implementations(tree) {
		label := "anon0"
		ast.WalkStatements(i.Body.Stmts, func(s ast.Stmt) bool {
			if l, ok := s.(*ast.Label); ok {
				label = l.Name
			}
			labels[s.At()] = label
			return true
		}, func(ast.Expr) bool { return false })
	}
	return labels
}

// failure is the line that says where the assertion is.
func (c *runTrace) failure() string {
	for _, e := range c.events {
		if strings.HasPrefix(e.extra, "ASSERTION FAILS") {
			return corralPlace(e.pos) + ": error PF5001: This assertion can fail\n"
		}
	}
	return ""
}

// console is the trace as it stands on the console.
func (c *runTrace) console() string {
	var b strings.Builder
	b.WriteString("\nExecution trace:\n")
	previous := ""
	for _, e := range c.events {
		extra := ""
		if e.extra != "" {
			extra = "(" + e.extra + ")"
		}
		line := fmt.Sprintf("%s: Trace: Thread=1  %s\n", corralPlace(e.pos), extra)
		if !c.source {
			line = fmt.Sprintf("(1,0)  %*s%s: %s  %s\n", len(e.stack)+1, "", corralPlace(e.pos), e.block, extra)
		}
		if line != previous {
			b.WriteString(line)
		}
		previous = line
	}
	return b.String()
}

func corralPlace(pos chc.Position) string {
	return fmt.Sprintf("%s(%d,%d)", pos.File, pos.Line, max(pos.Column, 1))
}

// write writes the trace to a file as Corral does for the Concurrency Explorer: of each event the thread, its number, and
// the stack of calls with their places, the innermost first, and what happened.
func (c *runTrace) write(path string) error {
	var b strings.Builder
	b.WriteString("s\n#\n")
	previous := ""
	for i, e := range c.events {
		stack := ""
		for j := len(e.stack) - 1; j >= 0; j-- {
			f := e.stack[j]
			stack += fmt.Sprintf("%s|%s|%d|", f.procedure, f.pos.File, f.pos.Line)
		}
		if now := stack + e.extra; now == previous {
			continue
		} else {
			previous = now
		}
		fmt.Fprintf(&b, "1 %d 3 1 c\n1 %d 6 %d %s\n", i+1, i+1, len(stack), stack)
		if e.extra != "" {
			fmt.Fprintf(&b, "1 %d 4 %d %s\n", i+1, len(e.extra), e.extra)
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		return fmt.Errorf("write the trace: %w", err)
	}
	return nil
}
