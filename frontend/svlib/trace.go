package svlib

import (
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// Trace is the argument of a select-trace: how a run goes that breaks an annotation.
type Trace struct {
	Pos chc.Position
	// Source is the command as the script has it, on one line.
	Source string
	// Model has definitions of constants and functions, by their names; Globals the values of global variables in the beginning.
	Model   map[string]definition
	Globals map[string]*term.Term
	// Entry is the procedure that the run begins with.
	Entry *Procedure
	Steps []Step
	// Tag, Attribute and Text say which annotation the run breaks; Text is empty for an attribute without a value.
	Tag, Attribute, Text string
}

// definition is a define-fun of a model.
type definition struct {
	params []*term.Term
	body   *term.Term
}

// Step is a choice that a run makes.
type Step struct {
	// Kind is the word that the step begins with: init-proc-vars, havoc, choice or leap; Name the procedure or tag.
	Kind, Name string
	Values     map[string]*term.Term
	// Way is that of a choice.
	Way int
}

// readTrace reads the select-trace n.
func (r *reader) readTrace(n *smtlib.Node) *Trace {
	t := &Trace{Pos: r.reader.Pos(n), Source: r.reader.Text(n), Model: map[string]definition{}}
	for _, part := range r.args(n, 5, -1) {
		args := r.list(part, "a part of a trace")
		if len(args) > 0 {
			args = args[1:]
		}
		switch part.Word() {
		case "model":
			for _, d := range args {
				r.definition(t, d)
			}
		case "init-global-vars":
			t.Globals = r.values(args, func(name string) *Variable { return r.globals[name] })
		case "entry-proc":
			t.Entry = r.callee(r.args(part, 1, 1)[0])
		case "steps":
			for _, s := range args {
				t.Steps = append(t.Steps, r.step(s))
			}
		case "incorrect-annotation":
			args := r.args(part, 2, -1)
			properties := r.properties(args[1:])
			if len(properties) == 0 {
				r.fail(part, "expected the annotation that the run breaks")
			}
			p := properties[0]
			t.Tag, t.Attribute = r.symbol(args[0], "a tag"), p.keyword.Text
			if p.value != nil {
				t.Text = r.reader.Text(p.value)
			}
		case "using-annotation", "invalid-step":
			r.unsupported(part, "%s in a trace", part.Word())
		default:
			r.fail(part, "expected a part of a trace, got %s", r.reader.Text(part))
		}
	}
	if t.Entry == nil || t.Tag == "" {
		r.fail(n, "a trace has an entry-proc and an incorrect-annotation")
	}
	return t
}

// definition reads a define-fun of a model.
func (r *reader) definition(t *Trace, n *smtlib.Node) {
	if n.Word() != "define-fun" {
		r.fail(n, "expected a define-fun")
	}
	args := r.args(n, 4, 4)
	bound := r.reader.Bound()
	defer r.reader.Unbind(bound)
	var d definition
	for _, p := range r.list(args[1], "parameters") {
		if len(p.List) != 2 {
			r.fail(p, "expected a parameter (name sort)")
		}
		v := r.reader.Fresh("parameter", must(r.reader.Sort(p.List[1])))
		r.reader.Bind(r.symbol(p.List[0], "a parameter"), v)
		d.params = append(d.params, v)
	}
	d.body = must(r.reader.Term(args[3], must(r.reader.Sort(args[2]))))
	t.Model[r.symbol(args[0], "a symbol")] = d
}

// values reads pairs of a variable and its value. lookup is nil where it is not known which variables these are.
func (r *reader) values(ns []*smtlib.Node, lookup func(string) *Variable) map[string]*term.Term {
	out := map[string]*term.Term{}
	for _, n := range ns {
		if len(n.List) != 2 {
			r.fail(n, "expected (variable value)")
		}
		name := r.symbol(n.List[0], "a variable")
		var sort *term.Sort
		if lookup != nil {
			v := lookup(name)
			if v == nil {
				r.fail(n, "unknown variable %s", term.QuoteSymbol(name))
			}
			sort = v.Term.Sort()
		}
		x := must(r.reader.Term(n.List[1], sort))
		if !x.IsValue() {
			r.fail(n.List[1], "expected a value")
		}
		out[name] = x
	}
	return out
}

func (r *reader) step(n *smtlib.Node) Step {
	s := Step{Kind: n.Word()}
	switch s.Kind {
	case "init-proc-vars":
		args := r.args(n, 1, -1)
		p := r.callee(args[0])
		s.Name = p.Name
		s.Values = r.values(args[1:], func(name string) *Variable { return p.variables[name] })
	case "leap":
		args := r.args(n, 1, -1)
		s.Name = r.symbol(args[0], "a tag")
		s.Values = r.values(args[1:], nil)
	case "havoc":
		s.Values = r.values(r.args(n, 0, -1), nil)
	case "choice":
		k := r.args(n, 1, 1)[0]
		way, err := strconv.Atoi(k.Text)
		if err != nil || !k.IsNumeral() {
			r.fail(k, "expected the number of a branch")
		}
		s.Way = way
	default:
		r.fail(n, "expected a step")
	}
	return s
}
