package catamorphism

import (
	"fmt"
	"slices"

	"hornbeam/chc/term"
)

// fold is a candidate of the library: a component for a recursive datatype, cheaper ones to be tried first.
type fold struct {
	*component
	cost int
}

// The kinds of folds, in the order in which they are preferred: by how often they are what a problem needs.
const (
	// costSize counts the recursive constructors in a value.
	costSize = iota
	// costSum adds up a number in the fields of a constructor.
	costSum
	// costFirst is such a number in the outermost constructor.
	costFirst
	// costSpine is the length of the path that always takes the recursive field of one number.
	costSpine
)

// kinds add the folds of each kind for a group of recursive datatypes. Nearly every task that folds decide needs sizes; of
// sums, first elements and spines, each decides a development task at 5 s that is open without it. Twelve other kinds (the
// constructor, counts of constructors, parity, height, greatest, least, last, second and alternating elements, binary
// numbers, occurrences, order) decided none; without them one or two tasks more are decided, whose time their trials took.
var kinds = []func(*librarian, []*term.Datatype){
	costSize: (*librarian).sizes, costSum: (*librarian).sums, costFirst: (*librarian).firsts, costSpine: (*librarian).spines,
}

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
	// folds has those of each kind.
	folds [][]fold
	// basic are the components of a recursive datatype that folds over datatypes around it use.
	basic map[*term.Datatype][]*component
}

// newLibrary returns the folds for the recursive datatypes of the space, cheapest first.
func newLibrary(s *space) []fold {
	l := &librarian{space: s, folds: make([][]fold, len(kinds)), basic: map[*term.Datatype][]*component{}}
	for _, g := range s.shapes.groups {
		if s.shapes.recursive[g[0]] {
			for _, add := range kinds {
				add(l, g)
			}
		}
	}
	return slices.Concat(l.folds...)
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
		l.folds[cost] = append(l.folds[cost], fold{own, cost})
	}
	return out
}

func (l *librarian) bool(b bool) *term.Term {
	if b {
		return l.pool.Int(1)
	}
	return l.pool.Int(0)
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

// sizes adds the number of recursive constructors in a value.
func (l *librarian) sizes(group []*term.Datatype) {
	l.addBasic(group, l.scheme(group, "size", costSize, nil, func(c *term.Constructor, rec []*term.Term) *term.Term {
		return l.pool.Add(append(rec, l.bool(len(rec) > 0))...)
	}))
}

// addBasic makes components, one for each datatype of the group, basic.
func (l *librarian) addBasic(group []*term.Datatype, of []*component) {
	for i, d := range group {
		l.basic[d] = append(l.basic[d], of[i])
	}
}

// sums adds the sum of each source.
func (l *librarian) sums(group []*term.Datatype) {
	for _, s := range l.sources(group) {
		l.addBasic(group, l.scheme(group, "sum-"+s.name, costSum, s.needs, func(c *term.Constructor, rec []*term.Term) *term.Term {
			if c == s.ctor {
				rec = append(rec, s.value)
			}
			return l.pool.Add(append(rec, l.pool.Int(0))...)
		}))
	}
}

// firsts adds each source in the outermost constructor, 0 where that is another one.
func (l *librarian) firsts(group []*term.Datatype) {
	for _, s := range l.sources(group) {
		first := l.constant(s.ctor.Data, "first-"+s.name, term.Int)
		first.needs = s.needs
		first.cases[s.ctor.Index] = s.value
		l.folds[costFirst] = append(l.folds[costFirst], fold{first, costFirst})
	}
}

// spines adds, for trees, the length of each path that takes the recursive field of one number, or the last one.
func (l *librarian) spines(group []*term.Datatype) {
	deepest := 0
	for _, d := range group {
		for _, c := range d.Constructors {
			deepest = max(deepest, len(l.recursion(c)))
		}
	}
	if deepest == 1 {
		return // it is the size
	}
	for i := range deepest {
		l.scheme(group, fmt.Sprint("spine-", i), costSpine, nil, func(_ *term.Constructor, rec []*term.Term) *term.Term {
			if len(rec) == 0 {
				return l.pool.Int(0)
			}
			return l.pool.Add(rec[min(i, len(rec)-1)], l.pool.Int(1))
		})
	}
}
