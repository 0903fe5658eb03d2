package residues

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// maxModulus bounds the moduli, and maxProduct the combinations of remainders of the arguments of one predicate.
const (
	maxModulus = 8
	maxProduct = 64
)

// moduli finds what the arguments of a system are to be divided by. Arguments that pass their values on to each other have
// the same modulus.
type moduli struct {
	pool *term.Pool
	same transform.Partition[transform.Place]
	// divisors has what clauses divide an argument by, and steps by what clauses from a predicate to itself change it.
	divisors, steps map[transform.Place][]int64
}

// findModuli returns the modulus of each argument that has one, by the predicates' IDs.
func findModuli(sys *chc.System) []map[int]int64 {
	m := &moduli{pool: sys.Pool, divisors: map[transform.Place][]int64{}, steps: map[transform.Place][]int64{}}
	for _, c := range sys.Clauses {
		m.clause(c)
	}
	of := m.ofClasses(sys)
	for _, p := range sys.Predicates {
		m.limit(p, of)
	}
	out := make([]map[int]int64, len(sys.Predicates))
	for i, p := range sys.Predicates {
		out[i] = map[int]int64{}
		for k := range p.Sorts {
			if n := of[m.same.Find(transform.Place{Predicate: p, Position: k})]; n > 1 {
				out[i][k] = n
			}
		}
	}
	return out
}

// clause notes what one clause says.
func (m *moduli) clause(c *chc.Clause) {
	at := map[*term.Term]transform.Place{} // an argument that has the variable's value
	for _, a := range c.Atoms() {
		for k, t := range a.Args {
			if !t.IsVar() || t.Sort() != term.Int {
				continue
			}
			n := transform.Place{Predicate: a.Pred, Position: k}
			if first, ok := at[t]; ok {
				m.same.Join(first, n)
			} else {
				at[t] = n
			}
		}
	}
	// What differs by a constant has remainders that tell each other.
	for _, a := range c.Atoms() {
		for k, t := range a.Args {
			if t.Sort() == term.Int && !t.IsVar() {
				m.sum(m.pool.Linear(t), transform.Place{Predicate: a.Pred, Position: k}, at)
			}
		}
	}
	for _, t := range c.Terms() {
		term.Walk(t, func(u *term.Term) bool {
			m.term(u, at)
			return true
		})
	}
}

// sum notes that an argument is a sum: of another argument and a constant, if it is one.
func (m *moduli) sum(l term.Linear, n transform.Place, at map[*term.Term]transform.Place) {
	if len(l.Monomials) != 1 || !l.Monomials[0].Coef.IsOne() {
		return
	}
	other, ok := at[l.Monomials[0].Term]
	if !ok {
		return
	}
	if other == n || m.same.Find(other) == m.same.Find(n) {
		m.step(n, l.Const)
	} else {
		m.same.Join(other, n)
	}
}

// step notes a change of an argument.
func (m *moduli) step(n transform.Place, by term.Num) {
	if i, ok := by.Abs().Int64(); ok && i != 0 {
		m.steps[n] = append(m.steps[n], i)
	}
}

// term notes a division, or an equation between two arguments in a case of a clause.
func (m *moduli) term(t *term.Term, at map[*term.Term]transform.Place) {
	switch t.Op() {
	case term.Mod, term.IntDiv:
		m.division(t.Arg(0), t.Arg(1), at)
	case term.Divides:
		m.division(t.Arg(1), t.Arg(0), at)
	case term.Eq:
		if t.Arg(0).Sort() != term.Int {
			return
		}
		l := m.pool.Linear(m.pool.Sub(t.Arg(0), t.Arg(1)))
		if len(l.Monomials) != 2 || !l.Monomials[0].Coef.Add(l.Monomials[1].Coef).IsZero() || !l.Monomials[0].Coef.Abs().IsOne() {
			return
		}
		a, known := at[l.Monomials[0].Term]
		b, too := at[l.Monomials[1].Term]
		switch {
		case !known || !too:
		case m.same.Find(a) == m.same.Find(b) || a.Position == b.Position:
			m.step(a, l.Const)
			fallthrough
		default:
			m.same.Join(a, b)
		}
	}
}

// division notes that a sum is divided by a constant, if it is a small one.
func (m *moduli) division(sum, by *term.Term, at map[*term.Term]transform.Place) {
	if !by.IsNumeral() {
		return
	}
	k, ok := by.Num().Abs().Int64()
	if !ok || k <= 1 || k > maxModulus {
		return
	}
	for _, mono := range m.pool.Linear(sum).Monomials {
		if n, ok := at[mono.Term]; ok {
			m.divisors[n] = append(m.divisors[n], k)
		}
	}
}

// ofClasses returns the moduli by the classes' roots: the least common multiple of the divisors and of what all steps are
// multiples of, as far as it is small.
func (m *moduli) ofClasses(sys *chc.System) map[transform.Place]int64 {
	divisors, steps := map[transform.Place]int64{}, map[transform.Place]int64{}
	for _, p := range sys.Predicates {
		for k := range p.Sorts {
			n := transform.Place{Predicate: p, Position: k}
			root := m.same.Find(n)
			for _, d := range m.divisors[n] {
				divisors[root] = multiple(divisors[root], d)
			}
			for _, s := range m.steps[n] {
				steps[root] = gcd(steps[root], s)
			}
		}
	}
	out := divisors
	for root, s := range steps {
		if s > 1 && s <= maxModulus {
			out[root] = multiple(out[root], s)
		}
	}
	return out
}

// limit takes the largest moduli of a predicate's arguments away until few combinations of remainders are left.
func (m *moduli) limit(p *chc.Predicate, of map[transform.Place]int64) {
	for {
		product, largest := int64(1), transform.Place{}
		for k := range p.Sorts {
			root := m.same.Find(transform.Place{Predicate: p, Position: k})
			if n := of[root]; n > 1 {
				product *= n
				if n > of[largest] {
					largest = root
				}
			}
		}
		if product <= maxProduct {
			return
		}
		delete(of, largest)
	}
}

// multiple returns the least common multiple of two numbers, or the first where it is larger than maxModulus.
func multiple(a, b int64) int64 {
	if a == 0 {
		return b
	}
	if n := a / gcd(a, b) * b; n <= maxModulus {
		return n
	}
	return a
}

// gcd returns the greatest common divisor; that of zero and a number is the number.
func gcd(a, b int64) int64 {
	n, _ := term.GCD(term.NewInt(a), term.NewInt(b)).Int64()
	return n
}
