package smtlib

import (
	"bytes"
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// ReadWitness reads a model or a refutation of the script's system, whichever src holds; the other is nil.
func ReadWitness(name string, src []byte, script *Script) (*witness.Model, *witness.Refutation, error) {
	lx := newLexer(name, src)
	isRefutation := false
	var err error
	func() {
		defer rescue(&err)
		lx.next()
		if lx.kind == tokSymbol {
			isRefutation = lx.word("unsat")
			lx.next()
		}
		if lx.kind == tokOpen {
			lx.next()
			isRefutation = isRefutation || lx.word("refutation")
		}
	}()
	if err != nil {
		return nil, nil, err
	}
	if isRefutation {
		ref, err := ReadRefutation(name, src, script)
		return nil, ref, err
	}
	m, err := ReadModel(name, src, script)
	return m, nil, err
}

// witnessReader returns a reader for a witness of the script: it has the script's sorts and datatypes, but none of
// its functions and predicates.
func witnessReader(name string, src []byte, script *Script) *reader {
	symbols := newTable()
	if script.symbols != nil {
		symbols = script.symbols.clone()
	}
	r := newReader(name, src, script.System.Pool, symbols)
	r.script, r.witness = &Script{Name: name, System: &chc.System{Pool: r.pool}}, true
	for i := range r.symbols {
		if f := r.symbols[i].fn; f != nil {
			switch f.kind {
			case predicateFunc, macroFunc, variableFunc, uninterpretFunc:
				r.symbols[i].fn = nil
			}
		}
	}
	for i := range operators {
		if s := r.at(r.intern([]byte(operators[i].name))); s.fn == nil {
			s.fn = &function{kind: operatorFunc, name: operators[i].name, op: &operators[i]}
		}
	}
	return r
}

// least returns the least model if src is that as it is printed, with quantifiers that a checker need not reason about; else nil.
func least(src []byte, sys *chc.System) *witness.Model {
	m := witness.Least()
	if !chc.NewGraph(sys).Acyclic() {
		_, rest, found := bytes.Cut(src, []byte(witness.StepsComment))
		number, _, _ := bytes.Cut(rest, []byte("\n"))
		steps, err := strconv.Atoi(string(bytes.TrimSpace(number)))
		// Each of the steps has a line.
		if !found || err != nil || steps < 1 || steps > bytes.Count(rest, []byte("\n")) {
			return nil
		}
		m = witness.LeastWithin(steps)
	} else if !bytes.Contains(src, []byte("(exists ")) {
		return nil
	}
	var printed bytes.Buffer
	if err := witness.PrintModel(&printed, sys, m); err != nil {
		return nil
	}
	words := bytes.Fields(src)
	if len(words) > 0 && string(words[0]) == "sat" {
		words = words[1:]
	}
	if !slices.EqualFunc(words, bytes.Fields(printed.Bytes()), bytes.Equal) {
		return nil
	}
	return m
}

// definition is a define-fun of a model, found but not read yet.
type definition struct {
	id symbolID
	// off is where the name stands, after the lexer's state behind it, body the offset of what defines it.
	off, body int
	after     lexer
	nullary   bool
	params    []symbolID
	needs     []int
	state     uint8 // 0 not visited, 1 being visited, 2 in order
}

// ReadModel reads a model of the script's system as z3, golem, eldarica and Hornbeam print it: an optional line `sat`,
// then define-funs in any order, bare, in parentheses, or in `(model …)`. Definitions of other functions are expanded
// where they are used; those of a define-fun-rec or define-funs-rec become the model's Definitions, and the comments that
// hold lemmas its Lemmas. It is an error when a predicate has no definition or one of another signature.
func ReadModel(name string, src []byte, script *Script) (m *witness.Model, err error) {
	if m := least(src, script.System); m != nil {
		return m, nil
	}
	defer rescue(&err)
	r := witnessReader(name, src, script)
	defs, recs := r.definitions()
	end := r.off
	r.pending = make(map[symbolID]bool, len(defs))
	byID := make(map[symbolID]int, len(defs))
	places := map[symbolID]int{}
	once := func(id symbolID, off int) {
		if other, twice := places[id]; twice {
			at := r.position(other)
			r.fail(off, "%s is already defined at %d:%d", term.QuoteSymbol(r.at(id).name), at.Line, at.Column)
		}
		places[id] = off
	}
	for i, d := range defs {
		once(d.id, d.off)
		byID[d.id] = i
		r.pending[d.id] = true
	}
	for _, d := range recs {
		once(d.id, d.off)
	}
	r.declareRecursive(recs)
	for i := range defs {
		r.references(&defs[i], defs, byID)
	}
	for _, i := range inOrder(defs) {
		d := &defs[i]
		r.lexer = d.after
		r.commandOff = d.off
		f := r.macro(nil)
		r.expectEnd("define-fun")
		delete(r.pending, d.id)
		r.at(d.id).fn = nil // a definition may be called like an operator
		r.declare(d.id, d.off, f)
	}
	m = &witness.Model{Interpretations: make(map[*chc.Predicate]witness.Interpretation, len(script.System.Predicates))}
	m.Definitions = r.defineRecursive(recs)
	m.Lemmas = r.lemmas()
	for _, p := range script.Declared {
		f := r.lookup(p.Name)
		if f != nil && f.kind == definedFunc && f.rng == term.Bool && slices.Equal(f.domain, p.Sorts) {
			params := witness.CanonicalParams(r.pool, p)
			m.Interpretations[p] = witness.Interpretation{Params: params, Body: r.pool.Apply(f.fn, params...)}
			continue
		}
		if f == nil || f.kind != macroFunc {
			r.fail(end, "the model does not define the predicate %s", term.QuoteSymbol(p.Name))
		}
		if f.rng != term.Bool || !slices.Equal(f.domain, p.Sorts) {
			r.fail(f.off, "%s is not defined with the predicate's argument sorts and Bool", term.QuoteSymbol(p.Name))
		}
		m.Interpretations[p] = witness.Interpretation{Params: f.params, Body: f.body}
	}
	for i, p := range script.System.Predicates[len(script.Declared):] {
		if f := r.lookup(p.Name); f != nil && f.kind == macroFunc && f.rng == term.Bool && slices.Equal(f.domain, p.Sorts) {
			m.Interpretations[p] = witness.Interpretation{Params: f.params, Body: f.body}
			continue
		}
		m.Interpretations[p] = caseInterpretation(script.System, len(script.Declared)+i, m)
	}
	return m, nil
}

// caseInterpretation is what the reader's own predicate means when the declared ones mean what m says: the disjunction
// of its clauses' bodies.
func caseInterpretation(s *chc.System, id int, m *witness.Model) witness.Interpretation {
	p := s.Predicates[id]
	in := witness.Interpretation{Body: s.Pool.False()}
	for _, c := range s.Clauses {
		if c.Head == nil || c.Head.Pred != p {
			continue
		}
		in.Params = c.Head.Args // distinct variables, the same in all its clauses
		parts := []*term.Term{c.Constraint}
		for _, a := range c.Body {
			if _, ok := m.Interpretations[a.Pred]; !ok {
				m.Interpretations[a.Pred] = caseInterpretation(s, a.Pred.ID, m)
			}
			i := m.Interpretations[a.Pred]
			sub := make(map[*term.Term]*term.Term, len(a.Args))
			for k, v := range i.Params {
				sub[v] = a.Args[k]
			}
			parts = append(parts, s.Pool.Substitute(i.Body, sub))
		}
		body := s.Pool.And(parts...)
		local := slices.DeleteFunc(term.Vars(body), func(v *term.Term) bool { return slices.Contains(in.Params, v) })
		in.Body = s.Pool.Or(in.Body, s.Pool.Exists(local, body))
	}
	return in
}

// definitions finds the define-funs of a model, and the functions that it defines by recursion, and passes over their
// bodies.
func (r *reader) definitions() (defs []definition, recs []recursive) {
	r.next()
	if r.kind == tokSymbol {
		if !r.word("sat") {
			r.fail(r.off, "expected a model, got %s", r.what())
		}
		r.next()
	}
	depth := 0
	var opened []int
	for ; r.kind != tokEOF; r.next() {
		switch {
		case r.kind == tokClose && depth > 0:
			depth--
			opened = opened[:depth]
			continue
		case r.kind != tokOpen:
			r.fail(r.off, "expected a definition, got %s", r.what())
		}
		open := r.off
		back := r.lexer
		r.next()
		switch {
		case r.kind == tokOpen || r.kind == tokClose || r.kind == tokEOF: // parentheses around the definitions
			r.lexer = back
			depth++
			opened = append(opened, open)
		case r.word("model"):
			depth++
			opened = append(opened, open)
		case r.word("define-fun"):
			defs = append(defs, r.definition(open))
		case r.word("error"):
			r.next()
			r.fail(open, "the solver reports an error: %s", r.src[r.off:min(r.pos, r.off+200)])
		case r.word("define-fun-rec"):
			recs = append(recs, r.defineFunRec(open))
		case r.word("define-funs-rec"):
			recs = append(recs, r.defineFunsRec(open)...)
		case r.word("declare-fun"), r.word("declare-const"), r.word("declare-sort"),
			r.word("declare-datatypes"), r.word("declare-datatype"), r.word("forall"):
			r.unsupported(open, "%s in a model", r.text())
		default:
			r.fail(r.off, "expected a definition, got %s", r.what())
		}
		if depth > 1 {
			r.fail(open, "expected a definition, got '('")
		}
	}
	if depth > 0 {
		r.unclosed(opened[depth-1])
	}
	return defs, recs
}

// definition notes the define-fun that opens at open and reads its head; the current token is `define-fun`.
func (r *reader) definition(open int) definition {
	var d definition
	d.id, d.off = r.newSymbol("a function name")
	d.after = r.lexer
	r.expect(tokOpen, "before the parameters")
	r.list("a parameter (name sort)", func() {
		at := r.off
		r.expectSymbol("a parameter name")
		d.params = append(d.params, r.intern(r.text()))
		r.skip(at)
	})
	d.nullary = len(d.params) == 0
	d.body = r.pos
	r.skip(open)
	return d
}

// references fills d.needs: the definitions that the body of d may refer to.
func (r *reader) references(d *definition, defs []definition, byID map[symbolID]int) {
	r.lexer = d.after
	r.pos = d.body
	head := false
	for depth := 1; depth > 0; {
		r.next()
		switch r.kind {
		case tokOpen:
			depth++
		case tokClose:
			depth--
		case tokSymbol, tokQuoted:
			id, ok := r.ids[string(r.text())]
			if i, defined := byID[id]; ok && defined && (head || defs[i].nullary) && !slices.Contains(d.params, id) {
				d.needs = append(d.needs, i)
			}
		}
		head = r.kind == tokOpen
	}
}

// inOrder returns the definitions' indices, a definition after those it needs; on a cycle, in any order.
func inOrder(defs []definition) []int {
	var order []int
	for root := range defs {
		if defs[root].state != 0 {
			continue
		}
		stack := []int{root}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			d := &defs[i]
			if d.state == 0 {
				d.state = 1
				for _, n := range slices.Backward(d.needs) {
					if defs[n].state == 0 {
						stack = append(stack, n)
					}
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if d.state == 1 {
				d.state = 2
				order = append(order, i)
			}
		}
	}
	return order
}
