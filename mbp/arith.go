package mbp

import (
	"hornbeam/chc/term"
)

// rule is how a variable of the rows would be eliminated, best first.
type rule uint8

const (
	ruleVanish   rule = iota // no row mentions it
	ruleDrop                 // no lower or no upper bound: its rows go
	ruleSolve                // an equation with a unit coefficient (any, for reals) defines it
	ruleShrink               // all pairs of bounds, exactly, giving no more rows than there were
	ruleScale                // an integer equation with another coefficient defines a multiple of it
	ruleDivides              // divisibility rows: becomes a variable without them
	ruleResolve              // all pairs of bounds, exactly, giving a few more rows
	ruleTightest             // the bound that is tightest in the model against all others
	ruleStuck                // not linear (yet)
)

// plan is the rule for a variable, what it costs, and the row it starts from.
type plan struct {
	rule rule
	cost int
	row  int32
}

func (a plan) before(b plan) bool {
	return a.rule < b.rule || a.rule == b.rule && a.cost < b.cost
}

// bounds are a variable's live rows by kind.
type bounds struct {
	lower, upper []int32 // coefficient negative, positive; le or lt
	equal        []int32
	differ       []int32 // ne
	divides      []int32 // dvd
	other        int     // notDvd
	mixed        bool    // an Int variable beside a Real column
	unitLower    bool    // every lower coefficient is -1
	unitUpper    bool
	strict       bool // every bound is strict
}

func (s *system) bounds(v int32) bounds {
	c := s.vars[v].col
	integer := s.cols[c].integer
	b := bounds{unitLower: true, unitUpper: true, strict: true}
	for _, id := range s.live(c) {
		r := &s.rows[id]
		b.mixed = b.mixed || integer && !r.integer
		switch r.rel {
		case le, lt:
			k := r.coef(c)
			b.strict = b.strict && r.rel == lt
			if k.Sign() < 0 {
				b.lower = append(b.lower, id)
				b.unitLower = b.unitLower && k.Neg().IsOne()
			} else {
				b.upper = append(b.upper, id)
				b.unitUpper = b.unitUpper && k.IsOne()
			}
		case eq:
			b.equal = append(b.equal, id)
		case ne:
			b.differ = append(b.differ, id)
		case dvd:
			b.divides = append(b.divides, id)
		default:
			b.other++
		}
	}
	return b
}

// makePlan finds the best rule for a variable (4.3 of the Spacer notes gives the rules' order).
func (s *system) makePlan(v int32) plan {
	c := s.vars[v].col
	clean := s.clean(v)
	b := s.bounds(v)
	rows := len(b.lower) + len(b.upper) + len(b.equal) + len(b.differ) + len(b.divides) + b.other
	if rows == 0 && clean {
		return plan{rule: ruleVanish}
	}
	if best, ok := s.solvable(v, b); ok {
		return plan{rule: ruleSolve, cost: (len(s.rows[best].ents) - 1) * (rows - 1), row: best}
	}
	nl, nu := len(b.lower), len(b.upper)
	switch {
	case !clean || b.other > 0:
	case len(b.equal) == 0 && (nl == 0 || nu == 0):
		return plan{rule: ruleDrop, cost: len(b.divides)}
	case b.mixed:
	case len(b.equal) > 0:
		best := b.equal[0]
		for _, id := range b.equal {
			if s.rows[id].coef(c).Abs().Cmp(s.rows[best].coef(c).Abs()) < 0 {
				best = id
			}
		}
		return plan{rule: ruleScale, cost: rows, row: best}
	case len(b.divides) > 0:
		return plan{rule: ruleDivides, cost: rows}
	default:
		growth := nl*nu - nl - nu
		if s.cols[c].integer && !b.unitLower && !b.unitUpper {
			return plan{rule: ruleTightest, cost: rows}
		}
		switch {
		case len(b.differ) > 0 && !(b.strict && !s.cols[c].integer):
			return plan{rule: ruleTightest, cost: growth}
		case growth <= 0:
			return plan{rule: ruleShrink, cost: growth}
		case s.few(nl, nu):
			return plan{rule: ruleResolve, cost: growth}
		}
		return plan{rule: ruleTightest, cost: growth}
	}
	return plan{rule: ruleStuck}
}

// solvable returns the shortest equation that can be solved for the variable: unit coefficient over integers, any over
// reals, and no term of the equation contains it.
func (s *system) solvable(v int32, b bounds) (int32, bool) {
	best := int32(-1)
	c := s.vars[v].col
	for _, id := range b.equal {
		r := &s.rows[id]
		if s.cols[c].integer && !(r.integer && r.coef(c).Abs().IsOne()) {
			continue
		}
		if best >= 0 && len(s.rows[best].ents) <= len(r.ents) || s.occursInside(v, r) {
			continue
		}
		best = id
	}
	return best, best >= 0
}

// occursInside reports whether a variable occurs inside an opaque column of the row.
func (s *system) occursInside(v int32, r *row) bool {
	for _, e := range r.ents {
		for _, w := range s.cols[e.col].inside {
			if w == v {
				return true
			}
		}
	}
	return false
}

// arithmetic eliminates variables of the rows by rules up to the given one, the best plan first, until none applies.
// It reports whether it eliminated something.
func (s *system) arithmetic(last rule) bool {
	progress := false
	for s.err == nil {
		best := int32(-1)
		for i := range s.vars {
			x := &s.vars[i]
			if x.done || x.col < 0 {
				continue
			}
			if x.stale {
				x.plan, x.stale = s.makePlan(int32(i)), false
			}
			if x.plan.rule <= last && (best < 0 || x.plan.before(s.vars[best].plan)) {
				best = int32(i)
			}
		}
		if best < 0 {
			return progress
		}
		s.apply(best)
		progress = true
	}
	return progress
}

// apply eliminates a variable by its plan.
func (s *system) apply(v int32) {
	pl := s.vars[v].plan
	switch pl.rule {
	case ruleVanish:
		s.vars[v].done = true
	case ruleDrop:
		s.stats.Dropped++
		s.drop(v)
	case ruleSolve:
		s.stats.Solved++
		s.solve(v, pl.row)
	case ruleScale:
		s.stats.Scaled++
		s.scale(v, pl.row)
	case ruleDivides:
		s.stats.Divided++
		s.parametrise(v)
	case ruleShrink, ruleResolve:
		s.stats.Resolved++
		s.resolveAll(v, false)
	case ruleTightest:
		s.stats.Tightest++
		s.bounded(v)
	}
}

// solve is the one-point rule: a*x + t = 0 defines x as -t/a.
func (s *system) solve(v, id int32) {
	c := s.vars[v].col
	r := s.rows[id]
	s.kill(id)
	f := r.coef(c).Inv().Neg()
	s.define(v, combine(r.without(c), f, sum{}, term.Num{}, -1), one)
}

// drop removes the rows of a variable that is unbounded on one side. Disequalities and bounds can always be met far
// enough on that side; of the divisibilities only their solvability remains.
func (s *system) drop(v int32) {
	s.vars[v].done = true
	c := s.vars[v].col
	d, ok := s.joinDivides(v)
	for _, id := range append([]int32(nil), s.live(c)...) {
		s.kill(id)
	}
	if ok { // some x has mod | a*x + t iff gcd(a, mod) divides t
		s.addRow(d.without(c), dvd, term.GCD(d.coef(c), d.mod))
	}
}

// room reports whether the model leaves an open interval between the tightest bounds of a Real variable.
func (s *system) room(v int32, b bounds) bool {
	c := s.vars[v].col
	if s.cols[c].integer {
		return false
	}
	l, u := &s.rows[s.tightest(c, b.lower)], &s.rows[s.tightest(c, b.upper)]
	return !l.val.IsZero() || !u.val.IsZero()
}

// bounded eliminates a variable whose bounds cannot be resolved exactly within the limits. Disequalities are ordered by
// the model first, after which another plan may be better. Over reals they are dropped instead where the model leaves
// room between the bounds: the resolvents are then strict, and an open interval has points that meet them all.
func (s *system) bounded(v int32) {
	b := s.bounds(v)
	if len(b.differ) == 0 {
		s.resolveTightest(v, b, false)
		return
	}
	if !s.room(v, b) {
		s.orderDisequalities(b)
		return
	}
	s.exact = false
	if nl, nu := len(b.lower), len(b.upper); s.few(nl, nu) {
		s.resolveAll(v, true)
		return
	}
	s.resolveTightest(v, b, true)
}

// few says whether all pairs of bounds are few enough to be resolved: no more than the bounds themselves, than the
// limit, or one side is a single bound.
func (s *system) few(nl, nu int) bool {
	return nl == 1 || nu == 1 || nl*nu <= max(nl+nu, s.opts.MaxResolvents)
}
