package svlib

import (
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// body reads the body of a procedure.
func (r *reader) body(p *Procedure, n *smtlib.Node) {
	defer r.scope(p)()
	r.procedure, r.gotos, r.loops, r.later = p, nil, 0, nil
	p.labels = map[string]bool{}
	p.Body = r.statement(n)
	for _, property := range r.later {
		property()
	}
	for _, g := range r.gotos {
		if !p.labels[g.label] {
			r.fail(g.node, "there is no label %s in %s", term.QuoteSymbol(g.label), term.QuoteSymbol(p.Name))
		}
	}
}

// statement reads a statement. Attributes around others are the statement's own.
func (r *reader) statement(n *smtlib.Node) *Statement {
	s := &Statement{Pos: r.reader.Pos(n), Procedure: r.procedure}
	at := r.origin(s.Pos)
	s.Place = fmt.Sprintf("%d:%d", at.Line, at.Column)
	if n.Word() != "!" {
		r.all = append(r.all, s)
	}
	word := n.Word()
	switch word {
	case "if", "while", "sequence", "choice":
		s.Text = fmt.Sprintf("(%s …)", word)
		if len(n.List) > 1 && word != "sequence" && word != "choice" {
			s.Text = fmt.Sprintf("(%s %s …)", word, r.reader.Text(n.List[1]))
		}
	default:
		s.Text = r.reader.Text(n)
	}
	switch word {
	case "!":
		args := r.args(n, 2, -1)
		s = r.statement(args[0])
		r.attributes(s, args[1:])
		return s
	case "assume":
		s.Operation, s.Condition = Assume, must(r.reader.Term(r.args(n, 1, 1)[0], term.Bool))
	case "assign":
		s.Operation = Assign
		for _, a := range r.args(n, 1, -1) {
			if len(a.List) != 2 {
				r.fail(a, "expected (variable term)")
			}
			v := r.target(s, a.List[0])
			s.Values = append(s.Values, must(r.reader.Term(a.List[1], v.Term.Sort())))
		}
	case "havoc":
		s.Operation = Havoc
		for _, a := range r.args(n, 1, -1) {
			r.target(s, a)
		}
	case "sequence":
		s.Operation = Sequence
		s.Body = r.statements(r.args(n, 0, -1))
	case "choice":
		s.Operation = Choice
		args := r.args(n, 1, -1)
		// The statements stand in parentheses of their own, or not.
		if len(args) == 1 && args[0].Word() == "" {
			args = args[0].List
		}
		if len(args) == 0 {
			r.fail(n, "choice needs a statement")
		}
		s.Body = r.statements(args)
	case "call":
		r.call(s, r.args(n, 3, 3))
	case "return":
		r.args(n, 0, 0)
		s.Operation = Return
	case "label":
		s.Operation, s.Label = LabelHere, r.symbol(r.args(n, 1, 1)[0], "a label")
		if r.procedure.labels[s.Label] {
			r.fail(n, "label %s occurs twice in %s", term.QuoteSymbol(s.Label), term.QuoteSymbol(r.procedure.Name))
		}
		r.procedure.labels[s.Label] = true
	case "goto":
		s.Operation, s.Label = Goto, r.symbol(r.args(n, 1, 1)[0], "a label")
		r.gotos = append(r.gotos, pending{n, s.Label})
	case "if":
		args := r.args(n, 2, 3)
		s.Operation, s.Condition = If, must(r.reader.Term(args[0], term.Bool))
		s.Body = r.statements(args[1:])
	case "while":
		args := r.args(n, 2, 2)
		s.Operation, s.Condition = While, must(r.reader.Term(args[0], term.Bool))
		r.loops++
		s.Body = r.statements(args[1:])
		r.loops--
	case "break", "continue":
		r.args(n, 0, 0)
		if s.Operation = Break; word == "continue" {
			s.Operation = Continue
		}
		if r.loops == 0 {
			r.fail(n, "%s outside of a loop", word)
		}
	case "":
		r.fail(n, "expected a statement in parentheses")
	default:
		r.fail(n, "unknown statement %s", term.QuoteSymbol(word))
	}
	return s
}

func (r *reader) statements(ns []*smtlib.Node) []*Statement {
	out := make([]*Statement, len(ns))
	for i, n := range ns {
		out[i] = r.statement(n)
	}
	return out
}

// target reads a variable that a statement changes.
func (r *reader) target(s *Statement, n *smtlib.Node) *Variable {
	v := r.lookup(r.procedure, r.symbol(n, "a variable"))
	switch {
	case v == nil:
		r.fail(n, "unknown variable %s", term.QuoteSymbol(n.Text))
	case v.Kind == Input:
		r.fail(n, "the input %s of %s may not be changed", term.QuoteSymbol(n.Text), term.QuoteSymbol(r.procedure.Name))
	case slices.Contains(s.Targets, v):
		r.fail(n, "%s is changed twice by one statement", term.QuoteSymbol(n.Text))
	}
	s.Targets = append(s.Targets, v)
	return v
}

func (r *reader) call(s *Statement, args []*smtlib.Node) {
	s.Operation, s.Callee = Call, r.callee(args[0])
	s.Values = r.arguments(args[1], s.Callee)
	results := r.list(args[2], "the variables that receive results")
	if len(results) != len(s.Callee.Out) {
		r.fail(args[2], "%s returns %d values, got %d variables", term.QuoteSymbol(s.Callee.Name), len(s.Callee.Out), len(results))
	}
	for i, n := range results {
		v := r.target(s, n)
		if want := s.Callee.Out[i].Term.Sort(); v.Term.Sort() != want {
			r.fail(n, "%s has sort %s, but receives a value of sort %s", term.QuoteSymbol(n.Text), v.Term.Sort(), want)
		}
	}
}

// attributes reads the attributes of a statement.
func (r *reader) attributes(s *Statement, ns []*smtlib.Node) {
	for _, p := range r.properties(ns) {
		if p.keyword.Text != ":tag" {
			// It may be about tags behind it.
			r.later = append(r.later, func() { r.property(s, p, "") })
			continue
		}
		tag := r.symbol(p.value, "a tag")
		s.Tags = append(s.Tags, tag)
		r.tagged[tag] = append(r.tagged[tag], s)
	}
}

// attribute is a keyword with its value, which is nil where it has none.
type attribute struct{ keyword, value *smtlib.Node }

// liveness are the attributes about runs that do not end, with whether they have a value.
var liveness = map[string]bool{":recurring": false, ":not-recurring": false, ":decreases": true, ":decreases-lex": true}

// safety are those about what holds at a place.
var safety = map[string]bool{":check-true": true, ":requires": true, ":ensures": true, ":invariant": true}

// properties splits attributes into keywords and values. Those that are neither tags nor properties say nothing here.
func (r *reader) properties(ns []*smtlib.Node) []attribute {
	var out []attribute
	for i := 0; i < len(ns); i++ {
		a := attribute{keyword: ns[i]}
		if !a.keyword.IsKeyword() {
			r.fail(a.keyword, "expected a keyword")
		}
		key := a.keyword.Text
		valued, live := liveness[key]
		if i+1 < len(ns) && !ns[i+1].IsKeyword() && (!live || valued) {
			i++
			a.value = ns[i]
		}
		if a.value == nil && (safety[key] || valued || key == ":tag") {
			r.fail(a.keyword, "%s needs a value", key)
		}
		if safety[key] || live || key == ":tag" {
			out = append(out, a)
		}
	}
	return out
}

// property adds a property to a statement, in whose procedure's scope it is read.
func (r *reader) property(s *Statement, a attribute, tag string) {
	p := Property{Pos: r.reader.Pos(a.keyword), Attribute: a.keyword.Text, Tag: tag, Since: len(r.Calls), Witness: r.inWitness}
	if a.value != nil {
		p.Text = r.reader.Text(a.value)
	}
	if safety[p.Attribute] {
		if s.Operation != While && s.Operation != LabelHere && p.Attribute == ":invariant" {
			r.fail(a.keyword, ":invariant belongs to a loop or a label")
		}
		p.Formula = r.relational(s, p.Attribute, a.value)
	}
	s.Properties = append(s.Properties, p)
}

// annotate reads annotate-tag. What it says of tags that there are not is ignored.
func (r *reader) annotate(n *smtlib.Node) {
	args := r.args(n, 2, -1)
	tag := r.symbol(args[0], "a tag")
	for _, a := range r.properties(args[1:]) {
		if a.keyword.Text == ":tag" {
			r.fail(a.keyword, "annotate-tag gives no further tags")
		}
		for _, s := range r.named(tag) {
			leave := r.scope(s.Procedure)
			r.property(s, a, tag)
			leave()
		}
	}
}

// named are the statements with a tag. A witness may name one without a tag by its place.
func (r *reader) named(tag string) []*Statement {
	out := r.tagged[tag]
	if r.inWitness && len(out) == 0 {
		for _, s := range r.all {
			if len(s.Tags) == 0 && s.Place == tag {
				out = append(out, s)
			}
		}
	}
	return out
}

// relational reads a formula at a statement that may be about earlier states, by (at x tag) and (old t).
func (r *reader) relational(s *Statement, attribute string, n *smtlib.Node) *term.Term {
	bound := r.reader.Bound()
	defer r.reader.Unbind(bound)
	at := s
	if attribute != ":ensures" {
		at = nil
	}
	r.earlier(s, at, n)
	return must(r.reader.Term(n, term.Bool))
}

// earlier binds what a formula at s says about earlier states to variables for these: old is the state at the beginning of the
// statement whose contract it is in, and else, with at nil, that in which the procedure was entered.
func (r *reader) earlier(s, at *Statement, n *smtlib.Node) {
	switch {
	case n.Word() == "at" && len(n.List) == 3 && n.List[1].IsSymbol() && n.List[2].IsSymbol():
		v := r.lookup(s.Procedure, n.List[1].Text)
		if v == nil {
			r.fail(n.List[1], "unknown variable %s", term.QuoteSymbol(n.List[1].Text))
		}
		places := r.tagged[n.List[2].Text]
		switch {
		case len(places) == 0:
			r.fail(n.List[2], "there is no tag %s", term.QuoteSymbol(n.List[2].Text))
		case len(places) > 1 || places[0].Procedure != s.Procedure || places[0].Operation == While || places[0].Operation == LabelHere:
			r.unsupported(n, "(at … %s), a state that is not that of one place in the procedure to which runs come once", n.List[2].Text)
		}
		r.reader.Bind(r.reader.Quote(n), r.before(v, places[0]))
	case n.Word() == "old" && len(n.List) == 2:
		t := must(r.reader.Term(n.List[1], nil))
		m := map[*term.Term]*term.Term{}
		for _, x := range term.Vars(t) {
			for _, vs := range [][]*Variable{r.Globals, s.Procedure.In, s.Procedure.Out, s.Procedure.Locals} {
				for _, v := range vs {
					if v.Term == x {
						m[x] = r.before(v, at)
					}
				}
			}
		}
		r.reader.Bind(r.reader.Quote(n), r.Pool.Substitute(t, m))
	default:
		for _, m := range n.List {
			r.earlier(s, at, m)
		}
	}
}

// before returns the variable for the value of v at the beginning of a statement, or nil for the procedure's entry.
func (r *reader) before(v *Variable, at *Statement) *term.Term {
	if v.Kind == Input {
		return v.Term
	}
	for t, st := range r.states {
		if st.variable == v && st.at == at {
			return t
		}
	}
	t := r.reader.Fresh(v.Name, v.Term.Sort())
	r.states[t] = &state{v, at}
	return t
}
