package catamorphism

import (
	"cmp"
	"slices"

	"hornbeam/chc/term"
)

// fold is a candidate of the library: a component for a recursive datatype, cheaper ones to be tried first.
type fold struct {
	*component
	cost int
}

// The costs say in which order folds are preferred: by how often they are what a problem needs.
const (
	costSize = iota
	costConstructor
	costSum
	costFirst
	costCount
	costParity
	costSpine
	costHeight
	costExtreme
	costLast
	costDouble
	costSecond
	costAlternating
	costOccurs
	costSorted
)

// maxSources bounds the values in the fields of a group's constructors that folds are made over, and maxConstants the
// numbers of the problem that are looked for among them.
const (
	maxSources   = 6
	maxConstants = 4
)

// source is a number in a constructor's field that is not of the constructor's own group.
type source struct {
	name  string
	ctor  *term.Constructor
	value *term.Term
	needs []*component
}

// librarian makes the folds of one system.
type librarian struct {
	*space
	constants []term.Num
	folds     []fold
	// basic are the components of a recursive datatype that folds over datatypes around it use.
	basic map[*term.Datatype][]*component
}

// newLibrary returns the folds for the recursive datatypes of the space, cheapest first. constants are numbers that the
// problem speaks of, the first ones to be preferred.
func newLibrary(s *space, constants []term.Num) []fold {
	l := &librarian{space: s, constants: constants[:min(len(constants), maxConstants)], basic: map[*term.Datatype][]*component{}}
	for _, g := range s.shapes.groups {
		if s.shapes.recursive[g[0]] {
			l.group(g)
		}
	}
	slices.SortStableFunc(l.folds, func(a, b fold) int { return cmp.Compare(a.cost, b.cost) })
	return l.folds
}

// recursion lists the fields of the constructor that are of its own group.
func (l *librarian) recursion(c *term.Constructor) []*term.Selector {
	var out []*term.Selector
	for _, f := range c.Selectors {
		if f.Sort.Data != nil && l.shapes.group[f.Sort.Data] == l.shapes.group[c.Data] {
			out = append(out, f)
		}
	}
	return out
}

// scheme adds one fold for each datatype of the group: case gives the value for a constructor from the values of its
// recursive fields.
func (l *librarian) scheme(group []*term.Datatype, name string, cost int, needs []*component,
	value func(c *term.Constructor, recursive []*term.Term) *term.Term) []*component {
	of := map[*term.Datatype]*component{}
	var out []*component
	for _, d := range group {
		of[d] = l.constant(d, name, term.Int)
		out = append(out, of[d])
	}
	for _, d := range group {
		own := of[d]
		own.needs = append(own.needs, needs...)
		for i, c := range d.Constructors {
			var values []*term.Term
			for _, f := range l.recursion(c) {
				values = append(values, l.part(f, of[f.Sort.Data]))
			}
			own.cases[i] = value(c, values)
			for _, f := range l.recursion(c) {
				if term.Contains(own.cases[i], l.part(f, of[f.Sort.Data])) && !slices.Contains(own.needs, of[f.Sort.Data]) {
					own.needs = append(own.needs, of[f.Sort.Data])
				}
			}
		}
		l.folds = append(l.folds, fold{own, cost})
	}
	return out
}

// single adds a fold for one datatype, which does not call itself.
func (l *librarian) single(d *term.Datatype, name string, cost int, needs []*component, value func(c *term.Constructor) *term.Term) *component {
	own := l.constant(d, name, term.Int)
	own.needs = needs
	for i, c := range d.Constructors {
		own.cases[i] = value(c)
	}
	l.folds = append(l.folds, fold{own, cost})
	return own
}

func (l *librarian) bool(b bool) *term.Term {
	if b {
		return l.pool.Int(1)
	}
	return l.pool.Int(0)
}

// group adds the folds for a group of recursive datatypes.
func (l *librarian) group(group []*term.Datatype) {
	p := l.pool
	size := l.scheme(group, "size", costSize, nil, func(c *term.Constructor, rec []*term.Term) *term.Term {
		return p.Add(append(rec, l.bool(len(rec) > 0))...)
	})
	for i, d := range group {
		l.basic[d] = append(l.basic[d], size[i])
	}
	indicators := l.indicators(group)
	for _, s := range l.sources(group) {
		l.over(group, s, indicators)
	}
	l.shapesOf(group)
}

// indicators adds, for each constructor but the last of a datatype, whether the value was built by it.
func (l *librarian) indicators(group []*term.Datatype) map[*term.Constructor]*component {
	out := map[*term.Constructor]*component{}
	for _, d := range group {
		// Constructors without recursion come first, so that an empty list is told from the others by "nil".
		order := slices.Clone(d.Constructors)
		slices.SortStableFunc(order, func(a, b *term.Constructor) int { return cmp.Compare(len(l.recursion(a)), len(l.recursion(b))) })
		for _, c := range order[:len(order)-1] {
			out[c] = l.single(d, "is-"+c.Name, costConstructor, nil, func(k *term.Constructor) *term.Term { return l.bool(k == c) })
		}
	}
	return out
}

// sources are the numbers in the fields of the group's constructors.
func (l *librarian) sources(group []*term.Datatype) []source {
	var out []source
	for _, d := range group {
		for _, c := range d.Constructors {
			for _, f := range c.Selectors {
				switch {
				case f.Sort.Data != nil && l.shapes.group[f.Sort.Data] != l.shapes.group[d]:
					for _, k := range l.numbers(f.Sort.Data) {
						out = append(out, source{f.Name + "." + k.name, c, l.integer(l.part(f, k)), []*component{k}})
					}
				case f.Sort == term.Int || f.Sort == term.Bool:
					out = append(out, source{f.Name, c, l.integer(l.field(f)), nil})
				}
			}
		}
	}
	return out[:min(len(out), maxSources)]
}

// integer reads a Boolean as 1 or 0.
func (l *librarian) integer(t *term.Term) *term.Term {
	if t.Sort() == term.Bool {
		return l.pool.Ite(t, l.pool.Int(1), l.pool.Int(0))
	}
	return t
}

// numbers are the integer and Boolean components of a datatype of an earlier group that later folds use.
func (l *librarian) numbers(d *term.Datatype) []*component {
	if l.shapes.recursive[d] {
		return l.basic[d]
	}
	return slices.DeleteFunc(l.exact(d, l.numbers), func(c *component) bool { return c.sort != term.Int && c.sort != term.Bool })
}

// over adds the folds over one source.
func (l *librarian) over(group []*term.Datatype, s source, indicators map[*term.Constructor]*component) {
	p, d := l.pool, s.ctor.Data
	sum := l.scheme(group, "sum-"+s.name, costSum, s.needs, func(c *term.Constructor, rec []*term.Term) *term.Term {
		if c == s.ctor {
			rec = append(rec, s.value)
		}
		return p.Add(append(rec, p.Int(0))...)
	})
	for i, d := range group {
		l.basic[d] = append(l.basic[d], sum[i])
	}
	first := l.single(d, "first-"+s.name, costFirst, s.needs, func(c *term.Constructor) *term.Term {
		if c == s.ctor {
			return s.value
		}
		return p.Int(0)
	})
	for _, greatest := range []bool{true, false} {
		name := map[bool]string{true: "max-", false: "min-"}[greatest]
		l.scheme(group, name+s.name, costExtreme, s.needs, func(c *term.Constructor, rec []*term.Term) *term.Term {
			if c == s.ctor {
				rec = append(rec, s.value)
			}
			return l.extreme(rec, greatest)
		})
	}
	l.alongList(group, s, first, indicators)
	for i, n := range l.constants {
		k := p.IntNum(n)
		l.scheme(group, number("occurs-"+s.name+"-", i), costOccurs, s.needs, func(c *term.Constructor, rec []*term.Term) *term.Term {
			if c == s.ctor {
				rec = append(rec, p.Ite(p.Eq(s.value, k), p.Int(1), p.Int(0)))
			}
			return p.Add(append(rec, p.Int(0))...)
		})
	}
}

// extreme is the greatest or least of the terms, 0 of none.
func (l *librarian) extreme(ts []*term.Term, greatest bool) *term.Term {
	p := l.pool
	if len(ts) == 0 {
		return p.Int(0)
	}
	m := ts[0]
	for _, t := range ts[1:] {
		if greatest {
			m = p.Ite(p.Le(m, t), t, m)
		} else {
			m = p.Ite(p.Le(t, m), t, m)
		}
	}
	return m
}

// alongList adds the folds that follow the one recursive field of the source's constructor.
func (l *librarian) alongList(group []*term.Datatype, s source, first *component, indicators map[*term.Constructor]*component) {
	p, d := l.pool, s.ctor.Data
	rec := l.recursion(s.ctor)
	if len(group) > 1 || len(rec) != 1 {
		return
	}
	next := rec[0]
	needs := func(cs ...*component) []*component { return append(cs, s.needs...) }
	l.single(d, "second-"+s.name, costSecond, needs(first), func(c *term.Constructor) *term.Term {
		if c == s.ctor {
			return l.part(next, first)
		}
		return p.Int(0)
	})
	l.scheme(group, "alternating-"+s.name, costAlternating, s.needs, func(c *term.Constructor, rec []*term.Term) *term.Term {
		if c == s.ctor {
			return p.Sub(s.value, rec[0])
		}
		return p.Add(append(rec, p.Int(0))...)
	})
	// Whether the rest ends here: with two constructors, the other one's indicator says so.
	var end *component
	for _, c := range d.Constructors {
		if k := indicators[c]; k != nil && c != s.ctor && len(d.Constructors) == 2 {
			end = k
		}
	}
	if end == nil {
		return
	}
	ends := p.Eq(l.part(next, end), p.Int(1))
	l.scheme(group, "last-"+s.name, costLast, needs(end), func(c *term.Constructor, rec []*term.Term) *term.Term {
		if c == s.ctor {
			return p.Ite(ends, s.value, rec[0])
		}
		return p.Int(0)
	})
	l.scheme(group, "sorted-"+s.name, costSorted, needs(end, first), func(c *term.Constructor, rec []*term.Term) *term.Term {
		if c == s.ctor {
			return p.Ite(p.Or(ends, p.Le(s.value, l.part(next, first))), rec[0], p.Int(0))
		}
		return p.Int(1)
	})
}

// shapesOf adds folds that look at constructors only.
func (l *librarian) shapesOf(group []*term.Datatype) {
	p := l.pool
	deepest, recursive := 0, 0
	for _, d := range group {
		for _, c := range d.Constructors {
			n := len(l.recursion(c))
			deepest = max(deepest, n)
			if n > 0 {
				recursive++
			}
		}
	}
	if recursive > 1 {
		for _, d := range group {
			for _, c := range d.Constructors {
				l.scheme(group, "count-"+c.Name, costCount, nil, func(k *term.Constructor, rec []*term.Term) *term.Term {
					return p.Add(append(rec, l.bool(k == c))...)
				})
			}
		}
		if deepest == 1 {
			l.scheme(group, "binary", costDouble, nil, func(c *term.Constructor, rec []*term.Term) *term.Term {
				if len(rec) == 0 {
					return p.Int(int64(c.Index))
				}
				return p.Add(p.Scale(term.NewInt(2), rec[0]), p.Int(int64(c.Index)))
			})
		}
	}
	if deepest == 1 {
		l.scheme(group, "parity", costParity, nil, func(_ *term.Constructor, rec []*term.Term) *term.Term {
			if len(rec) == 0 {
				return p.Int(0)
			}
			return p.Sub(p.Int(1), rec[0])
		})
		return
	}
	l.scheme(group, "height", costHeight, nil, func(_ *term.Constructor, rec []*term.Term) *term.Term {
		return p.Add(l.extreme(rec, true), l.bool(len(rec) > 0))
	})
	for i := range deepest {
		l.scheme(group, number("spine-", i), costSpine, nil, func(_ *term.Constructor, rec []*term.Term) *term.Term {
			if len(rec) == 0 {
				return p.Int(0)
			}
			return p.Add(rec[min(i, len(rec)-1)], p.Int(1))
		})
	}
}
