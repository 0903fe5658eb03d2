package induction

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// determination reads one clause of a predicate as a case of a function: from values for the inputs of the head it works
// out all variables of the clause, the tests that select the case, and the output.
type determination struct {
	pool *term.Pool
	bind map[*term.Term]*term.Term
	// tests are the conditions on the inputs under which the case applies.
	tests []*term.Term
	// open are equations between a pattern and a term over the inputs that are not worked out yet.
	open []equation
}

type equation struct{ pattern, value *term.Term }

// apply is what a body atom stands for: the output's position and the value there, or a test when the position is
// negative. ok is false while inputs are not known.
type apply func(a chc.App, known func(*term.Term) (*term.Term, bool)) (output int, value *term.Term, ok, usable bool)

// determine works out a clause whose head's inputs at the given positions have the given values. It fails when a variable
// is not determined, or an atom is not usable.
func determine(p *term.Pool, c *chc.Clause, inputs map[int]*term.Term, atom apply) (*determination, bool) {
	d := &determination{pool: p, bind: map[*term.Term]*term.Term{}}
	for k, x := range c.Head.Args {
		if v, ok := inputs[k]; ok {
			d.match(x, v)
		}
	}
	atoms := append([]chc.App(nil), c.Body...)
	formulas := term.Conjuncts(c.Constraint)
	for progress := true; progress; {
		progress = d.settle()
		for i := 0; i < len(atoms); i++ {
			output, value, ok, usable := atom(atoms[i], d.known)
			if !usable {
				return nil, false
			}
			if !ok {
				continue
			}
			if output < 0 {
				d.tests = append(d.tests, value)
			} else {
				d.match(atoms[i].Args[output], value)
			}
			atoms = append(atoms[:i], atoms[i+1:]...)
			i--
			progress = true
		}
		for i := 0; i < len(formulas); i++ {
			if d.formula(formulas[i]) {
				formulas = append(formulas[:i], formulas[i+1:]...)
				i--
				progress = true
			}
		}
	}
	return d, len(atoms) == 0 && len(formulas) == 0 && len(d.open) == 0
}

// known returns a term over the inputs for t, when all its variables are determined.
func (d *determination) known(t *term.Term) (*term.Term, bool) {
	for _, x := range term.Vars(t) {
		if d.bind[x] == nil {
			return nil, false
		}
	}
	return d.whole(d.pool.Substitute(t, d.bind)), true
}

// whole puts a value in place of the constructor's term over its fields, where the tests say that the value has the constructor: a
// recursion into a part of the input is one only when it is seen as that.
func (d *determination) whole(t *term.Term) *term.Term {
	t = d.pool.MapArgs(t, d.whole)
	if t.Op() != term.Construct || len(t.Args()) == 0 || t.Arg(0).Op() != term.Field || t.Arg(0).Sel().Ctor != t.Ctor() {
		return t
	}
	value := t.Arg(0).Arg(0)
	for i, s := range t.Ctor().Selectors {
		if t.Arg(i) != d.pool.Field(s, value) {
			return t
		}
	}
	if !slices.Contains(d.tests, d.pool.Is(t.Ctor(), value)) {
		return t
	}
	return value
}

// match makes the pattern equal to the value: variables are bound, constructors become tests.
func (d *determination) match(pattern, value *term.Term) {
	if pattern.IsVar() && d.bind[pattern] == nil {
		d.bind[pattern] = value
		return
	}
	if t, ok := d.known(pattern); ok {
		d.tests = append(d.tests, d.pool.Eq(t, value))
		return
	}
	if pattern.Op() == term.Construct {
		d.tests = append(d.tests, d.pool.Is(pattern.Ctor(), value))
		for i, x := range pattern.Args() {
			d.match(x, d.pool.Field(pattern.Ctor().Selectors[i], value))
		}
		return
	}
	d.open = append(d.open, equation{pattern, value})
}

// settle works on the open equations and reports whether one was settled.
func (d *determination) settle() bool {
	open := d.open
	d.open = nil
	settled := false
	for _, e := range open {
		if t, ok := d.known(e.pattern); ok {
			d.tests = append(d.tests, d.pool.Eq(t, e.value))
			settled = true
		} else if d.solve(e) {
			settled = true
		} else {
			d.open = append(d.open, e)
		}
	}
	return settled
}

// solve binds the one unknown variable of an integer equation, where it has the coefficient 1 or -1.
func (d *determination) solve(e equation) bool {
	if e.pattern.Sort() != term.Int {
		return false
	}
	p := d.pool
	l := p.Linear(e.pattern)
	var unknown *term.Term
	for _, x := range term.Vars(e.pattern) {
		if d.bind[x] == nil {
			if unknown != nil {
				return false
			}
			unknown = x
		}
	}
	c := l.Coef(unknown)
	if !c.Abs().IsOne() {
		return false
	}
	rest := p.FromLinear(l.Without(unknown), term.Int)
	t, ok := d.known(rest)
	if !ok {
		return false
	}
	d.bind[unknown] = p.Scale(c, p.Sub(e.value, t))
	return true
}

// formula uses a conjunct of the constraint: as a test when it is determined, as an equation that determines a variable
// otherwise. It reports whether it could.
func (d *determination) formula(f *term.Term) bool {
	if t, ok := d.known(f); ok {
		d.tests = append(d.tests, t)
		return true
	}
	if x, positive := f.Atom(); x.IsVar() {
		d.match(x, d.pool.Bool(positive))
		return true
	}
	if f.Op() != term.Eq {
		return false
	}
	for i, x := range f.Args() {
		if t, ok := d.known(f.Arg(1 - i)); ok {
			if x.IsVar() || x.Op() == term.Construct {
				d.match(x, t)
				return true
			}
			if d.solve(equation{x, t}) {
				return true
			}
		}
	}
	return false
}
