package walk

import (
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// direction is a sum of a predicate's arguments.
type direction []int64

// archive has the states that are extreme: of those of one predicate with the same truth values, the one with the largest sum in each
// direction.
type archive struct {
	directions [][]direction // by the predicate's ID
	cells      map[string]*cell
	list       []*cell
	most       int
}

type cell struct {
	directions []direction
	best       []*state
	scores     []int64
}

// newArchive collects directions: each number, and the sums that clauses compare with numbers, upwards and downwards, and sums of two
// of these.
func newArchive(m *machine, sys *rule.System, o options) *archive {
	a := &archive{directions: make([][]direction, len(sys.Predicates)), cells: map[string]*cell{}, most: o.cells}
	for _, p := range sys.Predicates {
		place := map[*term.Term]int{}
		for i, x := range p.Params {
			place[x] = i
			if x.Sort() == term.Int {
				d := make(direction, len(p.Params))
				d[i] = 1
				a.add(p, d)
			}
		}
		for _, r := range p.Rules {
			a.compared(p, sys.Pool, r.Trans, place)
		}
		for _, u := range p.Uses {
			clear(place)
			for i, x := range u.Rule.Body[u.Position].Args {
				place[x] = i
			}
			a.compared(p, sys.Pool, u.Rule.Trans, place)
		}
		ds := a.directions[p.ID]
		for range 2 * len(ds) {
			x, y := ds[m.random.IntN(len(ds))], ds[m.random.IntN(len(ds))]
			both := make(direction, len(x))
			for i := range both {
				both[i] = x[i] + y[i]
			}
			a.add(p, both)
		}
	}
	return a
}

// compared adds the sums of arguments that a formula compares with numbers.
func (a *archive) compared(p *rule.Predicate, pool *term.Pool, formula *term.Term, place map[*term.Term]int) {
	term.Walk(formula, func(t *term.Term) bool {
		if t.Op() != term.Le && (t.Op() != term.Eq || t.Arg(0).Sort() != term.Int) {
			return true
		}
		d := make(direction, len(p.Params))
		for _, o := range pool.Linear(t.Arg(0)).Monomials {
			i, ok := place[o.Term]
			n, small := o.Coef.Int64()
			if !ok || !small || n > mostCoefficient || n < -mostCoefficient {
				return true
			}
			d[i] = n
		}
		a.add(p, d)
		return true
	})
}

// add adds a direction and the opposite one.
func (a *archive) add(p *rule.Predicate, d direction) {
	if !slices.ContainsFunc(d, func(n int64) bool { return n != 0 }) {
		return
	}
	back := make(direction, len(d))
	for i, n := range d {
		back[i] = -n
	}
	for _, d := range []direction{d, back} {
		ds := a.directions[p.ID]
		if len(ds) < mostDirections && !slices.ContainsFunc(ds, func(e direction) bool { return slices.Equal(d, e) }) {
			a.directions[p.ID] = append(ds, d)
		}
	}
}

// keep adds a state where it is extreme, and reports whether it is.
func (a *archive) keep(s *state) bool {
	key := make([]byte, 0, len(s.args)+2)
	key = append(key, byte(s.pred.ID), byte(s.pred.ID>>8))
	for i, x := range s.pred.Params {
		if x.Sort() == term.Bool {
			key = append(key, byte(s.args[i]))
		}
	}
	c := a.cells[string(key)]
	if c == nil {
		if len(a.list) >= a.most {
			return false
		}
		ds := a.directions[s.pred.ID]
		if len(ds) == 0 {
			ds = []direction{make(direction, len(s.args))}
		}
		c = &cell{directions: ds, best: make([]*state, len(ds)), scores: make([]int64, len(ds))}
		a.cells[string(key)] = c
		a.list = append(a.list, c)
	}
	better := false
	for i, d := range c.directions {
		// Coefficients are so small that no product overflows.
		score := int64(0)
		for k, n := range d {
			score += n * s.args[k]
		}
		if c.best[i] == nil || score > c.scores[i] {
			c.best[i], c.scores[i], better = s, score, true
		}
	}
	return better
}
