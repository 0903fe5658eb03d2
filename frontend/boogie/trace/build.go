package trace

import (
	"cmp"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/trace"
)

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

// builder turns the events of a run into the steps of a trace.
type builder struct {
	trace *trace.Trace
	// calls has the open calls, the outermost first.
	calls   []openCall
	program *ast.Program
	// reads has for each body the variables that it may read before it changes them.
	reads map[*ast.Body]map[*ast.Variable]bool
	// goes has the indices of the steps that choose between labels.
	goes map[int]bool
}

// openCall is a call that has not returned: its present source position, whether that is in a library, and its procedure.
type openCall struct {
	source    chc.Position
	library   bool
	procedure string
}

func newTrace(program *ast.Program, r *recorder) *trace.Trace {
	t := &builder{trace: &trace.Trace{}, program: program, reads: map[*ast.Body]map[*ast.Variable]bool{}, goes: map[int]bool{}}
	for _, e := range r.first {
		t.event(e)
	}
	if left := r.total - len(r.first) - len(r.last); left > 0 {
		t.add(trace.Step{Kind: trace.Omitted, Text: trace.Plural(left, "step")})
	}
	for _, e := range slices.Concat(r.last[r.next:], r.last[:r.next]) {
		t.event(e)
	}
	t.trace.Straight = func() (string, error) { return straight(program, r) }
	return t.trace
}

func (t *builder) add(s trace.Step) { t.trace.Steps = append(t.trace.Steps, s) }

// at gives the stack of calls the depth of a step and returns its top.
func (t *builder) at(depth int) *openCall {
	for len(t.calls) <= depth {
		t.calls = append(t.calls, openCall{})
	}
	t.calls = t.calls[:depth+1]
	return &t.calls[depth]
}

func (t *builder) event(e interpret.Event) {
	s := trace.Step{Depth: e.Depth, Procedure: e.Procedure.Name, Values: values(e.Changes)}
	call := t.at(e.Depth)
	stmt := e.Stmt
	if e.Kind == interpret.Ended {
		stmt = t.failing(e.Outcome.Pos)
	}
	if stmt != nil {
		s.Pos = stmt.At()
		t.locate(stmt, call)
	}
	s.Source, s.Library = call.source, call.library
	s.Effect = t.effect(e, stmt)
	switch e.Kind {
	case interpret.Begun:
		s.Kind, s.Pos = trace.Start, e.Procedure.Pos
	case interpret.Entered:
		s.Kind, s.Text = trace.Call, ast.StatementString(e.Stmt)
	case interpret.Left:
		s.Kind, s.Text = trace.Return, ast.StatementString(e.Stmt)
	case interpret.Declared:
		s.Kind, s.Pos, s.Values = trace.Locals, e.Body.Pos, values(t.early(e))
		if len(s.Values) == 0 {
			return
		}
	case interpret.Ended:
		// Constants have their values from the start.
		start := &t.trace.Steps[0]
		start.Values = append(start.Values, s.Values...)
		s.Procedure = cmp.Or(call.procedure, s.Procedure)
		s.Kind, s.Pos, s.Text, s.Values = trace.Error, e.Outcome.Pos, e.Outcome.What, values(e.Outcome.Values)
	default:
		if !t.statement(&s, e) {
			return
		}
	}
	if e.Kind == interpret.Entered {
		t.at(e.Depth + 1).procedure = s.Procedure
	} else if e.Kind != interpret.Left {
		call.procedure = s.Procedure
	}
	t.add(s)
}

// failing is the assertion at the place where a run fails, if there is one.
func (t *builder) failing(pos chc.Position) ast.Stmt {
	for _, p := range t.program.Procedures {
		for _, i := range p.Implementations {
			for s := range ast.Statements(i.Body.Stmts) {
				if _, asserts := s.(*ast.Assert); asserts && s.At() == pos {
					return s
				}
			}
		}
	}
	return nil
}

// statement fills in a step for a statement; false says that it has no step.
func (t *builder) statement(s *trace.Step, e interpret.Event) bool {
	s.Kind = trace.Statement
	switch stmt := e.Stmt.(type) {
	case *ast.If:
		s.Kind, s.Text = branch(stmt.Guard), "if ("+guard(stmt.Guard)+"): "+[]string{"yes", "no"}[e.Way]
		return true
	case *ast.While:
		s.Kind, s.Text = branch(stmt.Guard), "while ("+guard(stmt.Guard)+"): "+[]string{"yes", "no"}[e.Way]
		return true
	case *ast.Goto:
		if len(stmt.Labels) > 1 {
			s.Kind, s.Text = trace.Branch, ast.StatementString(stmt)+" to "+stmt.Labels[e.Way]
			t.goes[len(t.trace.Steps)] = true
			return true
		}
	case *ast.Havoc:
		s.Kind = trace.Nondet
	case *ast.Assume:
		if name, ok := stmt.Attributes.Text("captureState"); ok {
			s.Kind, s.Text = trace.State, name
			return true
		}
		if b, ok := stmt.Cond.(*ast.BoolLiteral); ok && b.Value {
			return false
		}
	case *ast.Call:
		if name := recorded(stmt); name != "" && len(e.Args) > 0 {
			s.Kind, s.Values = trace.Record, []trace.Value{{Name: name, Value: e.Args[0].String()}}
			return true
		}
		if len(s.Values) > 0 {
			s.Kind = trace.Nondet // a call of a body has a Call step instead
		}
	}
	s.Text = ast.StatementString(e.Stmt)
	return true
}

// recorded is the name under which a call records its first argument, or empty: what `cexpr` says, or for Corral's
// procedures of records the argument's text.
func recorded(c *ast.Call) string {
	if name, ok := c.Attributes.Text("cexpr"); ok {
		return name
	}
	if strings.HasPrefix(c.Name, "boogie_si_record") && len(c.Args) > 0 && c.Args[0] != nil {
		return ast.String(c.Args[0])
	}
	return ""
}

// branch is the kind of a branch with a guard, or with none: then the way is chosen.
func branch(guard ast.Expr) trace.Kind {
	if guard == nil {
		return trace.Nondet
	}
	return trace.Branch
}

// guard is a guard as the source writes it.
func guard(x ast.Expr) string {
	if x == nil {
		return "*"
	}
	return ast.String(x)
}

// locate notes the source position that the attributes of a statement give for it and the statements after it.
func (t *builder) locate(s ast.Stmt, call *openCall) {
	as := ast.StatementAttributes(s)
	if a := as.Find("sourceloc"); a != nil && len(a.Args) >= 2 {
		if file, ok := a.Args[0].(*ast.StringLiteral); ok {
			call.source = chc.Position{File: file.Text, Line: number(a.Args[1])}
			if len(a.Args) > 2 {
				call.source.Column = number(a.Args[2])
			}
			t.trace.Generated = true
		}
	}
	file, okFile := as.Text("sourcefile")
	line, okLine := as.Int("sourceline")
	if okLine {
		if !okFile {
			file = call.source.File
		}
		call.source = chc.Position{File: file, Line: line}
		t.trace.Generated = true
	}
	if code, ok := as.Int("verifier.code"); ok {
		call.library = code == 1
	}
	call.library = call.library || ofSMACK(call.source.File)
}

// ofSMACK reports whether a file is one of SMACK's own, parts of which it does not mark as such.
func ofSMACK(file string) bool {
	return strings.Contains(file, "smack/lib/") || strings.Contains(file, "smack/include/") || strings.HasSuffix(file, "lib/smack.c")
}

func number(x ast.Expr) int {
	if n, ok := x.(*ast.IntLiteral); ok && n.Value.IsInt64() {
		return int(n.Value.Int64())
	}
	return 0
}

func values(changes []interpret.Change) []trace.Value {
	var out []trace.Value
	for _, c := range changes {
		if c.Value == nil {
			continue
		}
		var b strings.Builder
		b.WriteString(c.Variable.Name)
		for _, i := range c.Path {
			b.WriteString("[" + i.String() + "]")
		}
		out = append(out, trace.Value{Name: b.String(), Value: c.Value.String(), Global: c.Variable.Kind == ast.Global || c.Variable.Kind == ast.Constant})
	}
	return out
}

// early are the first values of the variables that a body may read before it changes them.
func (t *builder) early(e interpret.Event) []interpret.Change {
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
