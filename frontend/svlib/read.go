package svlib

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/report"
	"hornbeam/frontend/smtlib"
)

// Read reads a script. The error has file, line and column, and wraps report.ErrUnsupported where the script is legal but
// beyond this front end.
func Read(file string, src []byte) (script *Script, err error) {
	return readFrom(file, src, func(at chc.Position) chc.Position { return at }, func(chc.Position) bool { return false })
}

// readFrom reads a script that may be composed with its witness: origin says where places of the text are from, and witness which
// are the witness's.
func readFrom(file string, src []byte, origin func(chc.Position) chc.Position, witness func(chc.Position) bool) (script *Script, err error) {
	defer rescue(&err)
	pool := term.NewPool()
	script = &Script{
		File: file, Pool: pool, reader: smtlib.NewEmbedded(file, src, pool),
		states: map[*term.Term]*state{}, tagged: map[string][]*Statement{},
	}
	nodes, err := script.reader.Nodes()
	if err != nil {
		return nil, err
	}
	r := &reader{Script: script, procedures: map[string]*Procedure{}, globals: map[string]*Variable{}, origin: origin, witness: witness}
	for _, n := range nodes {
		if n.Word() == "exit" {
			break
		}
		r.inWitness = witness(script.reader.Pos(n))
		r.command(n)
	}
	return script, nil
}

// reader reads the commands of a script.
type reader struct {
	*Script
	procedures map[string]*Procedure
	globals    map[string]*Variable
	// last is the verify-call that get-witness is about, and trace the select-trace before the next one.
	last  *VerifyCall
	trace *Trace
	// procedure is the one whose body is read, loops how many loops are around.
	procedure *Procedure
	loops     int
	// origin is where a place of the text is from, and witness says whether it is one of the witness; inWitness is that of the command
	// that is read.
	origin    func(chc.Position) chc.Position
	witness   func(chc.Position) bool
	inWitness bool
	// all are the statements of the script in its order.
	all []*Statement
	// gotos are those of the body, whose labels may follow, and later reads the properties in it.
	gotos []pending
	later []func()
}

// pending is the label of a goto, and where it stands.
type pending struct {
	node  *smtlib.Node
	label string
}

// rescue turns what fail throws into an error.
func rescue(err *error) {
	switch p := recover().(type) {
	case nil:
	case *report.Error:
		*err = p
	default:
		panic(p)
	}
}

func (r *reader) fail(n *smtlib.Node, format string, args ...any) {
	failAt(r.reader.Pos(n), format, args...)
}

func failAt(pos chc.Position, format string, args ...any) {
	panic(&report.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

func (r *reader) unsupported(n *smtlib.Node, format string, args ...any) {
	panic(&report.Error{Pos: r.reader.Pos(n), Msg: fmt.Sprintf(format, args...), Unsupported: true})
}

// must hands on the error of the reader of SMT-LIB.
func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err.(*report.Error))
	}
}

// args returns the elements of a list behind its word, of which there are at least min and at most max; max below 0 is no bound.
func (r *reader) args(n *smtlib.Node, min, max int) []*smtlib.Node {
	args := n.List[1:]
	if len(args) < min || max >= 0 && len(args) > max {
		want := fmt.Sprint(min)
		switch {
		case max < 0:
			want += " or more"
		case max != min:
			want += fmt.Sprintf(" to %d", max)
		}
		r.fail(n, "%s takes %s arguments, got %d", n.Word(), want, len(args))
	}
	return args
}

func (r *reader) symbol(n *smtlib.Node, what string) string {
	if !n.IsSymbol() {
		r.fail(n, "expected %s", what)
	}
	return n.Text
}

func (r *reader) list(n *smtlib.Node, what string) []*smtlib.Node {
	if !n.IsList() {
		r.fail(n, "expected %s in parentheses", what)
	}
	return n.List
}

func (r *reader) command(n *smtlib.Node) {
	if n.Word() == "" {
		r.fail(n, "expected a command in parentheses")
	}
	word := n.Word()
	if r.trace != nil && word != "verify-call" && word != "get-witness" && word != "select-trace" {
		return // other commands are ignored behind a select-trace
	}
	if word == "get-witness" {
		r.args(n, 0, 0)
		if r.last == nil {
			r.fail(n, "get-witness without a verify-call before it")
		}
		r.last.Witness = true
		return
	}
	r.last = nil
	switch word {
	case "declare-const", "declare-datatype", "declare-datatypes", "declare-fun", "declare-sort", "define-const", "define-fun",
		"define-fun-rec", "define-funs-rec", "define-sort", "set-info", "set-logic", "set-option", "get-assertions", "get-info",
		"get-option", "echo":
		check(r.reader.Command(n))
		r.Symbols = r.reader.Symbols
	case "assert":
		args := r.args(n, 1, 1)
		formula := must(r.reader.Term(args[0], term.Bool))
		// What is asserted is about the model, and not about the state of the program.
		vars := term.Vars(formula)
		if i := slices.IndexFunc(r.Globals, func(g *Variable) bool { return slices.Contains(vars, g.Term) }); i >= 0 {
			r.fail(args[0], "an assertion may not be about the variable %s; use assume in a procedure", term.QuoteSymbol(r.Globals[i].Name))
		}
		r.Axioms = append(r.Axioms, Axiom{r.reader.Pos(n), formula})
	case "declare-var":
		args := r.args(n, 2, 2)
		v := r.variable(args[0], args[1], Global)
		check(r.reader.Declare(args[0], v.Term))
		r.Globals = append(r.Globals, v)
		r.globals[v.Name] = v
	case "define-proc":
		args := r.args(n, 5, 5)
		p := r.header(args)
		r.body(p, args[4])
	case "define-procs-rec":
		args := r.args(n, 2, 2)
		heads, bodies := r.list(args[0], "the heads of procedures"), r.list(args[1], "the bodies of procedures")
		if len(heads) != len(bodies) || len(heads) == 0 {
			r.fail(n, "%d heads of procedures with %d bodies", len(heads), len(bodies))
		}
		var all []*Procedure
		for _, h := range heads {
			parts := r.list(h, "the head of a procedure")
			if len(parts) != 4 {
				r.fail(h, "the head of a procedure has a name and three lists of variables")
			}
			all = append(all, r.header(parts))
		}
		for i, p := range all {
			r.body(p, bodies[i])
		}
	case "annotate-tag":
		r.annotate(n)
	case "select-trace":
		r.trace = r.readTrace(n)
	case "verify-call":
		r.verifyCall(n)
	case "push", "pop", "reset", "reset-assertions":
		r.unsupported(n, "command %s", word)
	default:
		if strings.HasSuffix(word, "-call") {
			r.unsupported(n, "the call %s, which belongs to a tool", word)
		}
		r.fail(n, "unknown command %s", term.QuoteSymbol(word))
	}
}

func (r *reader) variable(name, sort *smtlib.Node, kind Kind) *Variable {
	v := &Variable{Pos: r.reader.Pos(name), Kind: kind, Name: r.symbol(name, "the name of a variable")}
	v.Term = r.reader.Fresh(v.Name, must(r.reader.Sort(sort)))
	return v
}

// header reads the name and the variables of a procedure.
func (r *reader) header(parts []*smtlib.Node) *Procedure {
	p := &Procedure{Pos: r.reader.Pos(parts[0]), Name: r.symbol(parts[0], "the name of a procedure"), variables: map[string]*Variable{}}
	if other := r.procedures[p.Name]; other != nil {
		r.fail(parts[0], "procedure %s is already defined at %d:%d", term.QuoteSymbol(p.Name), other.Pos.Line, other.Pos.Column)
	}
	for i, list := range []*[]*Variable{&p.In, &p.Out, &p.Locals} {
		for _, n := range r.list(parts[i+1], "variables") {
			if len(n.List) != 2 {
				r.fail(n, "expected a variable (name sort)")
			}
			v := r.variable(n.List[0], n.List[1], []Kind{Input, Output, Local}[i])
			if p.variables[v.Name] != nil {
				r.fail(n, "%s is already a variable of %s", term.QuoteSymbol(v.Name), term.QuoteSymbol(p.Name))
			}
			p.variables[v.Name] = v
			*list = append(*list, v)
		}
	}
	r.procedures[p.Name] = p
	r.Procedures = append(r.Procedures, p)
	return p
}

// scope makes the names of a procedure's variables those, until what it returns is called.
func (r *reader) scope(p *Procedure) (leave func()) {
	n := r.reader.Bound()
	for _, vs := range [][]*Variable{p.In, p.Out, p.Locals} {
		for _, v := range vs {
			r.reader.Bind(v.Name, v.Term)
		}
	}
	return func() { r.reader.Unbind(n) }
}

// lookup returns the variable of that name that statements of a procedure see, or nil.
func (r *reader) lookup(p *Procedure, name string) *Variable {
	if v := p.variables[name]; v != nil {
		return v
	}
	return r.globals[name]
}

func (r *reader) verifyCall(n *smtlib.Node) {
	args := r.args(n, 2, 2)
	p := r.callee(args[0])
	c := &VerifyCall{
		Pos: r.reader.Pos(n), Index: len(r.Calls), Procedure: p, Args: r.arguments(args[1], p),
		Symbols: len(r.Symbols), Axioms: len(r.Axioms), Globals: len(r.Globals), Trace: r.trace,
	}
	c.start, _ = n.Bounds()
	r.Calls = append(r.Calls, c)
	r.last, r.trace = c, nil
}

func (r *reader) callee(n *smtlib.Node) *Procedure {
	p := r.procedures[r.symbol(n, "the name of a procedure")]
	if p == nil {
		r.fail(n, "unknown procedure %s", term.QuoteSymbol(n.Text))
	}
	return p
}

// arguments reads the arguments of a call.
func (r *reader) arguments(n *smtlib.Node, p *Procedure) []*term.Term {
	list := r.list(n, "the arguments")
	if len(list) != len(p.In) {
		r.fail(n, "%s takes %d arguments, got %d", term.QuoteSymbol(p.Name), len(p.In), len(list))
	}
	out := make([]*term.Term, len(list))
	for i, a := range list {
		out[i] = must(r.reader.Term(a, p.In[i].Term.Sort()))
	}
	return out
}

// AsksForWitness reports whether the script has a get-witness.
func (s *Script) AsksForWitness() bool {
	return slices.ContainsFunc(s.Calls, func(c *VerifyCall) bool { return c.Witness })
}
