package hornoracle

import (
	"fmt"

	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Values are the integers to which the variables of drawn clauses are bounded, but for the few that are left loose.
var Values = []int64{0, 1, 2}

// Shape says what drawn systems are made of.
type Shape struct {
	// Predicates, Arity, Clauses and Body are the largest numbers that are drawn.
	Predicates, Arity, Clauses, Body int
	// Number is the sort of the numeric variables, Int or Real; nil means Int.
	Number *term.Sort
	// Structure adds disjunctions, Boolean equivalences and if-then-else to the constraints.
	Structure bool
	// DivMod adds div and mod by constants.
	DivMod bool
	// Partial adds quotients and remainders by variables, which may be 0.
	Partial bool
	// Loose leaves about one in so many variables without bounds; 0 leaves none.
	Loose int
	// Twins adds, for about one in so many clauses, another clause over the same predicates; 0 adds none.
	Twins int
}

// DefaultShape draws small systems of all kinds.
func DefaultShape() Shape {
	return Shape{Predicates: 4, Arity: 3, Clauses: 8, Body: 2, Structure: true, DivMod: true, Loose: 4, Twins: 4}
}

// Draw draws a system over a new pool. Its first clause is a fact; about one clause in five is a query.
func Draw(t *rapid.T, shape Shape) *chc.System {
	if shape.Number == nil {
		shape.Number = term.Int
	}
	d := &drawing{T: t, Shape: shape, pool: term.NewPool()}
	sys := &chc.System{Pool: d.pool}
	for i := range rapid.IntRange(1, shape.Predicates).Draw(t, "predicates") {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i)}
		for range rapid.IntRange(0, shape.Arity).Draw(t, "arity") {
			pred.Sorts = append(pred.Sorts, rapid.SampledFrom([]*term.Sort{shape.Number, shape.Number, shape.Number, term.Bool}).Draw(t, "sort"))
		}
		sys.Predicates = append(sys.Predicates, pred)
	}
	for i := range rapid.IntRange(2, shape.Clauses).Draw(t, "clauses") {
		c := d.clause(sys, i)
		sys.Clauses = append(sys.Clauses, c)
		if d.oneIn(shape.Twins) {
			sys.Clauses = append(sys.Clauses, d.twin(c))
		}
	}
	for i, c := range sys.Clauses {
		c.ID = i
	}
	return sys
}

// drawing draws the parts of one system.
type drawing struct {
	*rapid.T
	Shape
	pool *term.Pool
}

func (d *drawing) oneIn(n int) bool {
	return n > 0 && rapid.IntRange(1, n).Draw(d.T, "one in") == n
}

func (d *drawing) clause(sys *chc.System, i int) *chc.Clause {
	c := &chc.Clause{}
	if i > 0 {
		for range rapid.IntRange(0, d.Body).Draw(d.T, "body") {
			c.Body = append(c.Body, d.app(rapid.SampledFrom(sys.Predicates).Draw(d.T, "predicate")))
		}
	}
	if i == 0 || !d.oneIn(5) {
		h := d.app(rapid.SampledFrom(sys.Predicates).Draw(d.T, "predicate"))
		c.Head = &h
	}
	d.constrain(c)
	return c
}

// twin draws another clause with c's predicates.
func (d *drawing) twin(c *chc.Clause) *chc.Clause {
	w := &chc.Clause{}
	for _, a := range c.Body {
		w.Body = append(w.Body, d.app(a.Pred))
	}
	if c.Head != nil {
		h := d.app(c.Head.Pred)
		w.Head = &h
	}
	d.constrain(w)
	return w
}

// constrain draws c's constraint and bounds its variables.
func (d *drawing) constrain(c *chc.Clause) {
	p := d.pool
	var parts []*term.Term
	for range rapid.IntRange(0, 3).Draw(d.T, "conjuncts") {
		parts = append(parts, d.formula(2))
	}
	c.Constraint = p.And(parts...)
	for _, v := range c.Vars() {
		if v.IsBool() || d.oneIn(d.Loose) {
			continue
		}
		parts = append(parts, p.Le(d.number(Values[0]), v), p.Le(v, d.number(Values[len(Values)-1])))
		if d.Number == term.Real {
			// Reals are bounded to the same three points, so that trying them is all there is.
			var points []*term.Term
			for _, n := range Values {
				points = append(points, p.Eq(v, d.number(n)))
			}
			parts = append(parts, p.Or(points...))
		}
	}
	c.Constraint = p.And(parts...)
}

func (d *drawing) number(n int64) *term.Term {
	return d.pool.Numeral(term.NewInt(n), d.Number)
}

// app draws an atom: mostly distinct variables, now and then a repeated one, a constant or a sum.
func (d *drawing) app(pred *chc.Predicate) chc.App {
	a := chc.App{Pred: pred, Args: make([]*term.Term, len(pred.Sorts))}
	for j, s := range pred.Sorts {
		switch {
		case s == term.Bool && d.oneIn(3):
			a.Args[j] = d.boolean()
		case s == term.Bool:
			a.Args[j] = d.variable(s)
		case d.oneIn(3):
			a.Args[j] = d.sum()
		default:
			a.Args[j] = d.variable(s)
		}
	}
	return a
}

func (d *drawing) variable(s *term.Sort) *term.Term {
	names := []string{"x", "y", "z", "u"}
	if s == term.Bool {
		names = []string{"b", "c"}
	}
	return d.pool.Var(rapid.SampledFrom(names).Draw(d.T, "variable"), s)
}

func (d *drawing) boolean() *term.Term {
	b := d.variable(term.Bool)
	return rapid.SampledFrom([]*term.Term{b, d.pool.Not(b), d.pool.True(), d.pool.False(), d.literal()}).Draw(d.T, "boolean")
}

func (d *drawing) sum() *term.Term {
	p := d.pool
	x, y := d.variable(d.Number), d.variable(d.Number)
	choices := []*term.Term{d.number(0), d.number(1), d.number(2), p.Add(x, d.number(1)), p.Sub(x, d.number(1)), p.Add(x, y), p.Sub(x, y), p.Scale(term.NewInt(2), x)}
	if d.Structure {
		choices = append(choices, p.Ite(d.variable(term.Bool), x, y), p.Ite(p.Le(x, y), p.Add(x, d.number(1)), d.number(0)))
	}
	if d.DivMod && d.Number == term.Int {
		choices = append(choices, p.IntDiv(x, p.Int(2)), p.Mod(p.Add(x, y), p.Int(2)), p.Mod(x, p.Int(3)))
	}
	if d.Partial && d.Number == term.Int {
		choices = append(choices, p.IntDiv(x, y), p.IntDiv(d.number(2), y), p.Mod(x, y), p.Abs(p.IntDiv(x, d.number(0))))
	} else if d.Partial {
		choices = append(choices, p.Div(x, y), p.Div(d.number(2), y), p.Div(x, d.number(0)))
	}
	return rapid.SampledFrom(choices).Draw(d.T, "sum")
}

func (d *drawing) literal() *term.Term {
	p := d.pool
	x, y := d.variable(d.Number), d.variable(d.Number)
	s := d.sum()
	return rapid.SampledFrom([]*term.Term{
		p.Eq(x, s), p.Eq(x, s), p.Eq(x, y), p.Le(x, s), p.Lt(x, s), p.Ne(x, y), p.Ge(x, d.number(1)), p.Le(x, d.number(1)), p.Eq(x, d.number(1)),
	}).Draw(d.T, "literal")
}

// formula draws a constraint of the given depth.
func (d *drawing) formula(depth int) *term.Term {
	p := d.pool
	if depth == 0 || !d.Structure || !d.oneIn(3) {
		if d.oneIn(4) {
			return d.boolean()
		}
		return d.literal()
	}
	f, g := d.formula(depth-1), d.formula(depth-1)
	return rapid.SampledFrom([]*term.Term{p.Or(f, g), p.And(f, g), p.Not(p.And(f, g)), p.Not(p.Or(f, g)), p.Iff(f, g), p.Ite(d.variable(term.Bool), f, g)}).Draw(d.T, "formula")
}
