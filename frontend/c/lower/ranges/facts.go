package ranges

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
)

// Fact is an interval of a variable's values.
type Fact struct {
	Variable *ast.Variable
	interval.Interval
}

// state has a fact for each variable whose range is smaller than its type; nil is the unreachable state.
type state struct{ facts *facts }

func (s *state) clone() *state { return &state{s.facts} }

// facts is a persistent map from the numbers of variables to facts: Okasaki and Gill's Patricia tree ("Fast Mergeable Integer Maps"),
// which branches at the highest bit that numbers differ in. Trees that were made of the same one are compared and joined in the time of
// their differences. Nil is empty.
type facts struct {
	// key is the number of a leaf's variable; of a branch it is what all numbers below have above its bit.
	key int
	// bit is the one that a branch's sides differ in: zero has those without it. A leaf's is 0.
	bit       int
	zero, one *facts
	fact      *Fact
}

func leaf(key int, f *Fact) *facts { return &facts{key: key, fact: f} }

// branch returns a tree of two sides, either of which may have nothing.
func branch(key, bit int, zero, one *facts) *facts {
	switch {
	case zero == nil:
		return one
	case one == nil:
		return zero
	}
	return &facts{key: key, bit: bit, zero: zero, one: one}
}

// over returns the tree of two trees neither of whose prefixes is one of the other's.
func over(a, b *facts) *facts {
	bit := 1
	for d := (a.key ^ b.key) >> 1; d > 0; d >>= 1 {
		bit <<= 1
	}
	key := a.key &^ (2*bit - 1)
	if a.key&bit == 0 {
		return branch(key, bit, a, b)
	}
	return branch(key, bit, b, a)
}

// may reports whether a number has the prefix of a branch.
func (t *facts) may(key int) bool { return key&^(2*t.bit-1) == t.key }

func (t *facts) get(key int) *Fact {
	for t != nil && t.bit != 0 {
		if key&t.bit == 0 {
			t = t.zero
		} else {
			t = t.one
		}
	}
	if t == nil || t.key != key {
		return nil
	}
	return t.fact
}

func (t *facts) put(key int, f *Fact) *facts {
	switch {
	case t == nil:
		return leaf(key, f)
	case t.bit == 0 && t.key == key:
		if t.fact == f {
			return t
		}
		return leaf(key, f)
	case t.bit == 0 || !t.may(key):
		return over(leaf(key, f), t)
	case key&t.bit == 0:
		return t.with(t.zero.put(key, f), t.one)
	}
	return t.with(t.zero, t.one.put(key, f))
}

// with returns a branch with other sides.
func (t *facts) with(zero, one *facts) *facts {
	if zero == t.zero && one == t.one {
		return t
	}
	return branch(t.key, t.bit, zero, one)
}

func (t *facts) remove(key int) *facts {
	switch {
	case t == nil:
		return nil
	case t.bit == 0:
		if t.key == key {
			return nil
		}
		return t
	case !t.may(key):
		return t
	case key&t.bit == 0:
		return t.with(t.zero.remove(key), t.one)
	}
	return t.with(t.zero, t.one.remove(key))
}

// below returns the facts about variables with numbers less than most.
func (t *facts) below(most int) *facts {
	switch {
	case t == nil:
		return nil
	case t.bit == 0:
		if t.key < most {
			return t
		}
		return nil
	case t.key|t.bit >= most:
		return t.zero.below(most)
	}
	return t.with(t.zero, t.one.below(most))
}

// each visits the facts in the order of their numbers.
func (t *facts) each(visit func(key int, f *Fact)) {
	switch {
	case t == nil:
	case t.bit == 0:
		visit(t.key, t.fact)
	default:
		t.zero.each(visit)
		t.one.each(visit)
	}
}

// filter returns the facts whose numbers are kept.
func (t *facts) filter(keep func(key int) bool) *facts {
	switch {
	case t == nil:
		return nil
	case t.bit == 0:
		if keep(t.key) {
			return t
		}
		return nil
	}
	return t.with(t.zero.filter(keep), t.one.filter(keep))
}

// sides splits a tree by a bit of a branch that all of it is below.
func (t *facts) sides(key, bit int) (zero, one *facts) {
	switch {
	case t == nil:
		return nil, nil
	case t.bit == bit:
		return t.zero, t.one
	case t.key&bit == 0:
		return t, nil
	}
	return nil, t
}

// common returns the smallest branch that both trees are below.
func common(a, b *facts) (key, bit int) {
	bit = max(a.bit, b.bit, 1)
	for a.key&^(2*bit-1) != b.key&^(2*bit-1) {
		bit <<= 1
	}
	return a.key &^ (2*bit - 1), bit
}

// joiner joins two facts about one variable. It returns nil for a trivial fact, and the first fact itself if that is the join.
type joiner func(a, b *Fact) *Fact

// join joins the facts that both trees have. It returns the tree itself if it is above the other.
func (t *facts) join(b *facts, both joiner) *facts {
	switch {
	case t == b:
		return t
	case t == nil || b == nil:
		return nil
	case t.bit == 0:
		f := b.get(t.key)
		if f == nil {
			return nil
		}
		switch j := both(t.fact, f); j {
		case t.fact:
			return t
		case nil:
			return nil
		default:
			return leaf(t.key, j)
		}
	case b.bit == 0:
		f := t.get(b.key)
		if f == nil {
			return nil
		}
		if j := both(f, b.fact); j != nil {
			return leaf(b.key, j)
		}
		return nil
	}
	key, bit := common(t, b)
	zeroT, oneT := t.sides(key, bit)
	zeroB, oneB := b.sides(key, bit)
	zero, one := zeroT.join(zeroB, both), oneT.join(oneB, both)
	if bit == t.bit {
		return t.with(zero, one)
	}
	return branch(key, bit, zero, one)
}

// replace returns the facts of other about some numbers, and those of the tree about the rest.
func (t *facts) replace(other *facts, some func(key int) bool) *facts {
	switch {
	case t == other:
		return t
	case t == nil:
		return other.filter(some)
	case other == nil:
		return t.filter(func(key int) bool { return !some(key) })
	case t.bit == 0 && other.bit == 0 && t.key == other.key:
		if some(t.key) {
			return other
		}
		return t
	}
	key, bit := common(t, other)
	zeroT, oneT := t.sides(key, bit)
	zeroO, oneO := other.sides(key, bit)
	zero, one := zeroT.replace(zeroO, some), oneT.replace(oneO, some)
	if bit == t.bit {
		return t.with(zero, one)
	}
	return branch(key, bit, zero, one)
}

// equal reports whether both trees have equal facts.
func (t *facts) equal(b *facts) bool {
	switch {
	case t == b:
		return true
	case t == nil || b == nil || t.bit != b.bit || t.key != b.key:
		return false
	case t.bit == 0:
		return t.fact == b.fact || t.fact.Equal(b.fact.Interval)
	}
	return t.zero.equal(b.zero) && t.one.equal(b.one)
}
