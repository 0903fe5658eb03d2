package catamorphism

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine/catamorphism/induction"
)

// modelWriter turns a model over components into one over the datatypes.
type modelWriter struct {
	*encoding
	funcs map[*component]*term.Func
	model *witness.Model
	// used are the components that the model speaks of, with what these need.
	used map[*component]bool
}

// sourceModel returns the model of the source that m, a model of the abstract system, stands for: components become
// recursive functions where they are used, with what is known of them as lemmas, and the invariants are conjoined.
func (a *abstracted) sourceModel(m *witness.Model, inv induction.Invariants) (*witness.Model, error) {
	w := &modelWriter{encoding: a.encoding, funcs: map[*component]*term.Func{}, model: witness.NewModel()}
	p := a.source.Pool
	strengthened := witness.NewModel()
	for i, pred := range a.source.Predicates {
		in, ok := m.Interpretations[a.system.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("the model over components has no interpretation of %s", term.QuoteSymbol(pred.Name))
		}
		if a.templates != nil {
			facts := a.templates.Of(p, chc.App{Pred: a.system.Predicates[i], Args: in.Params})
			in.Body = p.And(append(facts, in.Body)...)
		}
		strengthened.Interpretations[a.system.Predicates[i]] = in
	}
	m = strengthened
	w.findUsed(a, m)
	for _, g := range a.encoding.shapes.groups {
		for _, d := range g {
			w.declare(a.source, d)
		}
	}
	for _, g := range a.encoding.shapes.groups {
		for _, d := range g {
			w.define(d)
		}
	}
	for i, pred := range a.source.Predicates {
		params := witness.CanonicalParams(p, pred)
		in := m.Interpretations[a.system.Predicates[i]]
		var args []*term.Term
		for _, x := range params {
			if x.Sort().Data == nil {
				args = append(args, x)
				continue
			}
			for _, c := range w.components(x.Sort().Data) {
				args = append(args, w.of(c, x))
			}
		}
		body := in.Apply(p, args)
		for _, f := range inv[i] {
			body = p.And(body, f)
		}
		w.model.Interpretations[pred] = witness.Interpretation{Params: params, Body: body}
	}
	return w.model, nil
}

// findUsed marks the components whose parameters the interpretations speak of, and those that these need.
func (w *modelWriter) findUsed(a *abstracted, m *witness.Model) {
	var wanted []*component
	for i, pred := range a.source.Predicates {
		in := m.Interpretations[a.system.Predicates[i]]
		at := 0
		for _, s := range pred.Sorts {
			if s.Data == nil {
				at++
				continue
			}
			for _, c := range w.components(s.Data) {
				if term.Contains(in.Body, in.Params[at]) {
					wanted = append(wanted, c)
				}
				at++
			}
		}
	}
	w.used = closure(wanted)
	// Lemmas may speak of other components than the model: their whole datatypes are then defined.
	for _, c := range w.chosen {
		if w.used[c] {
			for _, f := range w.images[c.data] {
				for _, k := range w.components(c.data) {
					if term.Contains(f, w.self(k)) && term.Contains(f, w.self(c)) {
						for need := range closure([]*component{k}) {
							w.used[need] = true
						}
					}
				}
			}
		}
	}
}

// declare makes the function symbols of the used components of a recursive datatype.
func (w *modelWriter) declare(sys *chc.System, d *term.Datatype) {
	if !w.shapes.recursive[d] {
		return
	}
	for _, c := range w.components(d) {
		if w.used[c] {
			w.funcs[c] = witness.NewFunction(sys, c.name+"-"+d.Name, []*term.Sort{d.Sort}, c.sort)
		}
	}
}

// of is the component of a datatype term: an application of its function, or a case distinction over the fields for a
// datatype that is not recursive. Components that the model does not use have some value.
func (w *modelWriter) of(c *component, x *term.Term) *term.Term {
	p := w.pool
	if w.shapes.recursive[c.data] {
		if f := w.funcs[c]; f != nil {
			return p.Apply(f, x)
		}
		return term.DefaultValue(p, c.sort).Term(p)
	}
	return w.cases(c, x)
}

// cases is the component of x by x's constructor.
func (w *modelWriter) cases(c *component, x *term.Term) *term.Term {
	p, ctors := w.pool, c.data.Constructors
	var out *term.Term
	for i := len(ctors) - 1; i >= 0; i-- {
		body := w.fieldwise(c, ctors[i], x)
		if out == nil {
			out = body
		} else {
			out = p.Ite(p.Is(ctors[i], x), body, out)
		}
	}
	return out
}

// fieldwise is the component's case for a constructor, with the fields of x for its inputs.
func (w *modelWriter) fieldwise(c *component, ctor *term.Constructor, x *term.Term) *term.Term {
	m := map[*term.Term]*term.Term{}
	for _, f := range ctor.Selectors {
		y := w.pool.Field(f, x)
		switch {
		case f.Sort.Data != nil:
			for _, k := range c.needs {
				if k.data == f.Sort.Data {
					m[w.part(f, k)] = w.of(k, y)
				}
			}
		case !hasDatatype(f.Sort):
			m[w.field(f)] = y
		}
	}
	return w.pool.Substitute(c.cases[ctor.Index], m)
}

// define adds the definitions of a recursive datatype's used components, and its lemmas.
func (w *modelWriter) define(d *term.Datatype) {
	if !w.shapes.recursive[d] {
		return
	}
	x := w.pool.Var("x", d.Sort)
	m := map[*term.Term]*term.Term{}
	for _, c := range w.components(d) {
		if f := w.funcs[c]; f != nil {
			w.model.Definitions = append(w.model.Definitions, witness.Definition{Func: f, Params: []*term.Term{x}, Body: w.cases(c, x)})
			m[w.self(c)] = w.of(c, x)
		}
	}
	for _, f := range w.images[d] {
		if known(f, m) {
			w.model.Lemmas = append(w.model.Lemmas, witness.Lemma{Vars: []*term.Term{x}, Body: w.pool.Substitute(f, m)})
		}
	}
}

// known reports whether all variables of f are among the keys of m.
func known(f *term.Term, m map[*term.Term]*term.Term) bool {
	for _, v := range term.Vars(f) {
		if m[v] == nil {
			return false
		}
	}
	return true
}
