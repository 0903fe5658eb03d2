package trace

import (
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// Trace is a run that fails.
type Trace struct {
	// Steps are what happened, in order.
	Steps []Step
	// Sources says that the program says of itself where its statements come from, so that steps have Source positions.
	Sources bool
}

// Kind says what a step is.
type Kind string

// The kinds of steps.
const (
	// Start is the first step: Values has the globals, the parameters of the entry and the constants that matter.
	Start Kind = "start"
	// Statement is a statement that was executed, Values has what it changed.
	Statement Kind = "statement"
	// Record is a value that the program's front end recorded under a name of the source.
	Record Kind = "record"
	// Call enters a procedure, with the parameters' values; Return leaves it, with what was assigned.
	Call   Kind = "call"
	Return Kind = "return"
	// Error is the last step: Text says what failed.
	Error Kind = "error"
	// Locals says which values results and locals have in the beginning, of those that may be read before they are changed.
	Locals Kind = "locals"
	// Omitted stands for steps that were not kept: Text says how many.
	Omitted Kind = "omitted"
)

// Step is one thing that happened.
type Step struct {
	Kind Kind
	// Depth is the number of calls around the step, Procedure the one that it happened in, or entered or left.
	Depth     int
	Procedure string
	// Pos is the place in the Boogie program; Source the one in what it was made from, if that is known.
	Pos    chc.Position
	Source chc.Position
	// Text is the statement, or what failed.
	Text string
	// Values are named values.
	Values []Named
	// Library says that the statement belongs to no source line of the user's.
	Library bool
}

// Named is a value with its name, such as `m[3]`.
type Named struct{ Name, Value string }

// maxRecorded is how many events are kept from the beginning and from the end of a run.
const maxRecorded = 20_000

// recorder keeps the beginning and the end of a run.
type recorder struct {
	first []interpret.Event
	// last is a ring once it is full, next the place of the oldest.
	last  []interpret.Event
	next  int
	total int
}

func (r *recorder) observe(e interpret.Event) {
	r.total++
	switch {
	case len(r.first) < maxRecorded:
		r.first = append(r.first, e)
	case len(r.last) < maxRecorded:
		r.last = append(r.last, e)
	default:
		r.last[r.next] = e
		r.next = (r.next + 1) % maxRecorded
	}
}

// teller makes steps of events.
type teller struct {
	trace *Trace
	// sources has the present source position of each call, the outermost first.
	sources []chc.Position
	library []bool
	// reads has for each body the variables that it may read before it changes them.
	reads map[*ast.Body]map[*ast.Variable]bool
}

func newTrace(r *recorder) *Trace {
	t := &teller{trace: &Trace{}, sources: []chc.Position{{}}, library: []bool{false}, reads: map[*ast.Body]map[*ast.Variable]bool{}}
	for _, e := range r.first {
		t.tell(e)
	}
	if left := r.total - len(r.first) - len(r.last); left > 0 {
		t.add(Step{Kind: Omitted, Text: plural(left, "step")})
	}
	for _, e := range slices.Concat(r.last[r.next:], r.last[:r.next]) {
		t.tell(e)
	}
	return t.trace
}

func (t *teller) add(s Step) { t.trace.Steps = append(t.trace.Steps, s) }

// at makes the position stack as deep as a step is.
func (t *teller) at(depth int) {
	for len(t.sources) <= depth {
		t.sources, t.library = append(t.sources, chc.Position{}), append(t.library, false)
	}
	t.sources, t.library = t.sources[:depth+1], t.library[:depth+1]
}

func (t *teller) tell(e interpret.Event) {
	s := Step{Depth: e.Depth, Procedure: e.Procedure.Name, Values: values(e.Changes)}
	t.at(e.Depth)
	if e.Stmt != nil {
		s.Pos = e.Stmt.At()
		t.locate(e.Stmt, e.Depth)
	}
	s.Source, s.Library = t.sources[e.Depth], t.library[e.Depth]
	switch e.Kind {
	case interpret.Begun:
		s.Kind, s.Pos = Start, e.Procedure.Pos
	case interpret.Entered:
		s.Kind, s.Text = Call, ast.StatementString(e.Stmt)
	case interpret.Left:
		s.Kind, s.Text = Return, ast.StatementString(e.Stmt)
	case interpret.Declared:
		s.Kind, s.Pos, s.Values = Locals, e.Body.Pos, values(t.early(e))
		if len(s.Values) == 0 {
			return
		}
	case interpret.Ended:
		// Constants have had their values from the start.
		start := &t.trace.Steps[0]
		start.Values = append(start.Values, s.Values...)
		s.Kind, s.Pos, s.Text, s.Values = Error, e.Outcome.Pos, e.Outcome.What, values(e.Outcome.Values)
	default:
		if !t.statement(&s, e) {
			return
		}
	}
	t.add(s)
}

// statement fills in a step for a statement; false says that it is not worth telling.
func (t *teller) statement(s *Step, e interpret.Event) bool {
	s.Kind = Statement
	switch stmt := e.Stmt.(type) {
	case *ast.If:
		s.Text = "if (" + guard(stmt.Guard) + "): " + []string{"yes", "no"}[e.Way]
	case *ast.While:
		s.Text = "while (" + guard(stmt.Guard) + "): " + []string{"yes", "no"}[e.Way]
	case *ast.Goto:
		s.Text = ast.StatementString(stmt)
		if len(stmt.Labels) > 1 {
			s.Text += " to " + stmt.Labels[e.Way]
		}
	case *ast.Assume:
		if b, ok := stmt.Cond.(*ast.BoolLiteral); ok && b.Value && !stmt.Attributes.Has("captureState") {
			return false
		}
		s.Text = ast.StatementString(stmt)
	case *ast.Call:
		if name, ok := stmt.Attributes.Text("cexpr"); ok && len(e.Args) > 0 {
			s.Kind, s.Values = Record, []Named{{name, e.Args[0].String()}}
			return true
		}
		s.Text = ast.StatementString(stmt)
	default:
		s.Text = ast.StatementString(stmt)
	}
	return true
}

func guard(x ast.Expr) string {
	if x == nil {
		return "*"
	}
	return ast.String(x)
}

// locate notes what a statement says of the place in the source that it and what follows come from.
func (t *teller) locate(s ast.Stmt, depth int) {
	var as ast.Attributes
	switch s := s.(type) {
	case *ast.Assume:
		as = s.Attributes
	case *ast.Assert:
		as = s.Attributes
	case *ast.Call:
		as = s.Attributes
	}
	if a := as.Find("sourceloc"); a != nil && len(a.Args) >= 2 {
		if file, ok := a.Args[0].(*ast.StringLiteral); ok {
			t.sources[depth] = chc.Position{File: file.Text, Line: number(a.Args[1])}
			if len(a.Args) > 2 {
				t.sources[depth].Column = number(a.Args[2])
			}
			t.trace.Sources = true
		}
	}
	file, okFile := as.Text("sourcefile")
	line, okLine := as.Int("sourceline")
	if okLine {
		if !okFile {
			file = t.sources[depth].File
		}
		t.sources[depth] = chc.Position{File: file, Line: line}
		t.trace.Sources = true
	}
	if code, ok := as.Int("verifier.code"); ok {
		t.library[depth] = code == 1
	}
}

func number(x ast.Expr) int {
	if n, ok := x.(*ast.IntLiteral); ok && n.Value.IsInt64() {
		return int(n.Value.Int64())
	}
	return 0
}

func values(changes []interpret.Change) []Named {
	var out []Named
	for _, c := range changes {
		if c.Value == nil {
			continue
		}
		var b strings.Builder
		b.WriteString(c.Variable.Name)
		for _, i := range c.Path {
			b.WriteString("[" + i.String() + "]")
		}
		out = append(out, Named{b.String(), c.Value.String()})
	}
	return out
}

// early are the first values of the variables that a body may read before it changes them.
func (t *teller) early(e interpret.Event) []interpret.Change {
	if t.reads[e.Body] == nil {
		t.reads[e.Body] = readsEarly(e.Body)
	}
	return slices.DeleteFunc(slices.Clone(e.Changes), func(c interpret.Change) bool { return !t.reads[e.Body][c.Variable] })
}

// readsEarly are the variables of which something is read in the text of a body before all of it is changed.
func readsEarly(b *ast.Body) map[*ast.Variable]bool {
	changed, reads := map[*ast.Variable]bool{}, map[*ast.Variable]bool{}
	read := func(x ast.Expr) bool {
		if id, ok := x.(*ast.Identifier); ok && !changed[id.Decl] {
			reads[id.Decl] = true
		}
		return true
	}
	ast.WalkStatements(b.Stmts, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.Havoc:
			for _, id := range s.Variables {
				changed[id.Decl] = true
			}
			return false
		case *ast.Assign:
			for i := range s.Left {
				ast.Walk(s.Right[i], read)
				if _, whole := s.Left[i].(*ast.Identifier); !whole {
					ast.Walk(s.Left[i], read)
				}
			}
			for i := range s.Left {
				changed[ast.Target(s.Left[i]).Decl] = true
			}
			return false
		case *ast.Call:
			for _, a := range s.Args {
				ast.Walk(a, read)
			}
			for _, id := range s.Results {
				if id != nil {
					changed[id.Decl] = true
				}
			}
			return false
		}
		return true
	}, read)
	return reads
}
