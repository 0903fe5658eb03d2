package itp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// vocabularies are the number variables of the half-space tests: two shared ones, one of A, one of B, per sort.
func vocabularies(t *rapid.T, p *term.Pool) (shared, ofA, ofB vocabulary) {
	kind := rapid.IntRange(0, 2).Draw(t, "sorts")
	if kind != 1 {
		shared.ints = names(p, term.Int, "x", "y")
		ofA.ints, ofB.ints = names(p, term.Int, "a"), names(p, term.Int, "b")
	}
	if kind != 0 {
		shared.reals = names(p, term.Real, "r", "s")
		ofA.reals, ofB.reals = names(p, term.Real, "ra"), names(p, term.Real, "rb")
	}
	return shared, shared.and(ofA), shared.and(ofB)
}

// relaxed is a cube over the rationals: the same constraints (integer ones after tightening) over Real variables.
func relaxed(p *term.Pool, c Cube) *term.Term {
	real := func(t *term.Term) *term.Term {
		if t.Sort() == term.Int {
			return p.Var("real of "+t.Name(), term.Real)
		}
		return t
	}
	var out []*term.Term
	for _, lit := range c {
		k, ok := p.AsConstraint(lit)
		if !ok {
			out = append(out, lit)
			continue
		}
		l := term.Linear{Const: k.Const}
		onlyInts := true
		for _, m := range k.Monomials {
			x := m.Term
			if x.Op() == term.ToReal {
				x = x.Arg(0)
			}
			onlyInts = onlyInts && x.Sort() == term.Int
			l = l.AddTerm(m.Coef, real(x))
		}
		if onlyInts && k.Rel != term.EQ {
			// Tightened also when it was compared as Real.
			var i term.Linear
			for _, m := range k.Monomials {
				x := m.Term
				if x.Op() == term.ToReal {
					x = x.Arg(0)
				}
				i = i.AddTerm(m.Coef, x)
			}
			i.Const = k.Const
			k, ok = p.AsConstraint(p.Compare(i, k.Rel, term.Int))
			if ok {
				l.Const = k.Const
				l.Monomials = nil
				for _, m := range k.Monomials {
					l = l.AddTerm(m.Coef, real(m.Term))
				}
			}
		}
		out = append(out, p.Compare(l, k.Rel, term.Real))
	}
	return p.And(out...)
}

func anyStrength(t *rapid.T) Strength {
	return rapid.SampledFrom([]Strength{Strong, Weak, Middle}).Draw(t, "strength")
}

// What Farkas returns is an interpolant of the two cubes; it fails only when they have a common rational point.
func TestFarkasIsSoundAndComplete(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	rapid.Check(t, func(t *rapid.T) {
		_, ofA, ofB := vocabularies(t, p)
		as, bs := cube(t, p, ofA, 1, 6), cube(t, p, ofB, 1, 5)
		opts := FarkasOptions{Strength: anyStrength(t), Constants: []term.Num{term.NewInt(5), term.NewInt(-2)}}
		h, ok := Farkas(p, as, bs, opts)
		if !ok {
			require.False(t, o.unsat(t, relaxed(p, as), relaxed(p, bs)), "missed: %v | %v", as, bs)
			return
		}
		require.True(t, o.implies(t, p.And(as...), h), "%v does not imply %v", as, h)
		require.True(t, o.unsat(t, append(slices.Clone(bs), h)...), "%v and %v", bs, h)
		common := intersect(term.Vars(as...), term.Vars(bs...))
		for _, v := range term.Vars(h) {
			require.Contains(t, common, v)
		}
	})
}

// The strong half-space implies the middle one, and that the weak one.
func TestFarkasOrdersItsStrengths(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	rapid.Check(t, func(t *rapid.T) {
		_, ofA, ofB := vocabularies(t, p)
		as, bs := cube(t, p, ofA, 1, 5), cube(t, p, ofB, 1, 4)
		strong, ok := Farkas(p, as, bs, FarkasOptions{})
		if !ok {
			return
		}
		middle, ok := Farkas(p, as, bs, FarkasOptions{Strength: Middle})
		require.True(t, ok)
		weak, ok := Farkas(p, as, bs, FarkasOptions{Strength: Weak})
		require.True(t, ok)
		require.True(t, o.implies(t, strong, middle), "%v, %v", strong, middle)
		require.True(t, o.implies(t, middle, weak), "%v, %v", middle, weak)
	})
}

func TestFarkasExamples(t *testing.T) {
	p := term.NewPool()
	x, y, a, b := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", term.Int), p.Var("b", term.Int)
	r := p.Var("r", term.Real)
	i := p.Int
	for name, c := range map[string]struct {
		as, bs Cube
		opts   FarkasOptions
		want   *term.Term
	}{
		"local variables cancel": {
			Cube{p.Le(x, a), p.Le(a, y)}, Cube{p.Ge(x, p.Add(b, i(1))), p.Ge(b, y)}, FarkasOptions{}, p.Le(x, y),
		},
		"the sum is tightened": { // 2x <= 7
			Cube{p.Le(p.Add(x, a), i(3)), p.Le(p.Sub(x, a), i(4))}, Cube{p.Ge(x, i(10))}, FarkasOptions{}, p.Le(x, i(3)),
		},
		"the weak side": {
			Cube{p.Le(x, i(3))}, Cube{p.Ge(x, i(10))}, FarkasOptions{Strength: Weak}, p.Le(x, i(9)),
		},
		"a preferred constant": {
			Cube{p.Le(x, i(3))}, Cube{p.Ge(x, i(10))},
			FarkasOptions{Strength: Middle, Constants: []term.Num{term.NewInt(2), term.NewInt(7)}}, p.Le(x, i(7)),
		},
		"a strict real bound": {
			Cube{p.Lt(r, p.Real(term.NewInt(1)))}, Cube{p.Ge(r, p.Real(term.NewInt(1)))}, FarkasOptions{},
			p.Lt(r, p.Real(term.NewInt(1))),
		},
		"a strict bound of the other side": {
			Cube{p.Le(r, p.Real(term.NewInt(1)))}, Cube{p.Gt(r, p.Real(term.NewInt(1)))}, FarkasOptions{Strength: Weak},
			p.Le(r, p.Real(term.NewInt(1))),
		},
		"a contradictory A":   {Cube{p.Lt(x, a), p.Lt(a, x)}, Cube{p.Le(x, i(0))}, FarkasOptions{}, p.False()},
		"a contradictory B":   {Cube{p.Le(x, i(0))}, Cube{p.Lt(y, b), p.Lt(b, y)}, FarkasOptions{}, p.True()},
		"a remainder's bound": {Cube{p.Eq(x, p.Mod(a, i(4)))}, Cube{p.Ge(x, i(4))}, FarkasOptions{}, p.Le(x, i(3))},
		"integers between reals": {
			Cube{p.Lt(p.ToReal(x), p.Real(term.NewInt(1)))}, Cube{p.Gt(p.ToReal(x), p.Real(term.Num{}))}, FarkasOptions{},
			p.Le(x, i(0)),
		},
		"integers as reals": {Cube{p.Lt(p.ToReal(x), p.Real(term.NewInt(1)))}, Cube{p.Gt(x, i(0))}, FarkasOptions{}, p.Le(x, i(0))},
	} {
		t.Run(name, func(t *testing.T) {
			h, ok := Farkas(p, c.as, c.bs, c.opts)
			require.True(t, ok)
			require.Equal(t, c.want.String(), h.String())
		})
	}
	_, ok := Farkas(p, Cube{p.Le(r, p.Real(term.NewInt(1)))}, Cube{p.Ge(r, p.Real(term.NewInt(1)))}, FarkasOptions{})
	require.False(t, ok, "closed sides touch")
}

// What Separate returns holds on every P and excludes every Q; with a half-space planted between the two it returns one.
func TestSeparateIsSound(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	rapid.Check(t, func(t *rapid.T) {
		shared, ofA, ofB := vocabularies(t, p)
		planted := rapid.Bool().Draw(t, "planted")
		var ps, qs []Cube
		var between *term.Term
		for between == nil || between.IsTrue() || between.IsFalse() || between.Op() == term.Eq {
			between = inequality(t, p, shared)
		}
		cubes := func(v vocabulary, side *term.Term) (out []Cube) {
			for range rapid.IntRange(1, 3).Draw(t, "cubes") {
				c := cube(t, p, v, 1, 3)
				if planted {
					c = append(c, side)
				}
				out = append(out, c)
			}
			return out
		}
		ps, qs = cubes(ofA, between), cubes(ofB, p.Not(between))
		opts := SeparateOptions{
			Strength: anyStrength(t), Equalities: rapid.Bool().Draw(t, "equalities"), Rounding: rapid.Bool().Draw(t, "rounding"),
			Any: rapid.Bool().Draw(t, "any"), Constants: []term.Num{term.NewInt(4)},
		}
		if rapid.Bool().Draw(t, "templates") {
			for _, xs := range [][]*term.Term{shared.ints, shared.reals} {
				if len(xs) == 2 {
					opts.Templates = append(opts.Templates, p.Linear(p.Sub(p.Scale(term.NewInt(2), xs[0]), xs[1])))
				}
			}
		}
		h, ok := Separate(p, ps, qs, shared.all(), opts)
		require.True(t, ok || !planted, "missed %v: %v | %v", between, ps, qs)
		if !ok {
			return
		}
		for _, c := range ps {
			require.True(t, o.implies(t, p.And(c...), h), "P %v: %v", c, h)
		}
		for _, c := range qs {
			require.True(t, o.unsat(t, append(slices.Clone(c), h)...), "Q %v: %v", c, h)
		}
		for _, v := range term.Vars(h) {
			require.Contains(t, shared.all(), v)
		}
	})
}

// When some small normal separates the cubes' closures, as the primal programs of the cubes say, so does Separate.
func TestSeparateFindsASeparation(t *testing.T) {
	p := term.NewPool()
	xs := names(p, term.Real, "r", "s")
	// A box, moved by a variable of its own, with a cut or two.
	box := func(t *rapid.T, own *term.Term) Cube {
		c := cube(t, p, vocabulary{reals: append([]*term.Term{own}, xs...)}, 0, 2)
		for _, x := range xs {
			at := rapid.Int64Range(-4, 4).Draw(t, "corner")
			width := rapid.Int64Range(0, 3).Draw(t, "width")
			c = append(c, p.Ge(p.Sub(x, own), p.Real(term.NewInt(at))), p.Le(p.Sub(x, own), p.Real(term.NewInt(at+width))))
		}
		return append(c, p.Eq(own, p.Real(term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "shift")))))
	}
	boxes := func(t *rapid.T, own *term.Term) (out []Cube) {
		for range rapid.IntRange(1, 3).Draw(t, "boxes") {
			out = append(out, box(t, own))
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		ps, qs := boxes(t, p.Var("ra", term.Real)), boxes(t, p.Var("rb", term.Real))
		possible := false
		for w := range 25 {
			normal := []int64{int64(w/5 - 2), int64(w%5 - 2)}
			if normal[0] == 0 && normal[1] == 0 {
				continue
			}
			lo, okP := greatestOf(p, ps, xs, normal)
			hi, okQ := greatestOf(p, qs, xs, []int64{-normal[0], -normal[1]})
			possible = possible || okP && okQ && lo.Cmp(hi.Neg()) < 0
		}
		_, ok := Separate(p, ps, qs, xs, SeparateOptions{})
		require.True(t, ok || !possible, "missed: %v | %v", ps, qs)
	})
}

// greatestOf maximises normal*xs over the closures of the cubes; false when one is empty or unbounded.
func greatestOf(p *term.Pool, cubes []Cube, xs []*term.Term, normal []int64) (term.Num, bool) {
	var most term.Num
	for i, c := range cubes {
		var lp LP
		index := map[*term.Term]int{}
		for k, x := range xs {
			index[x] = lp.AddVariable(term.NewInt(-normal[k]), true)
		}
		for _, lit := range c {
			if lit.IsFalse() {
				return most, false
			}
			k, _ := p.AsConstraint(lit)
			var es []Entry
			for _, m := range k.Monomials {
				v, ok := index[m.Term]
				if !ok {
					v = lp.AddVariable(term.Num{}, true)
					index[m.Term] = v
				}
				es = append(es, Entry{v, m.Coef})
			}
			sense := AtMost
			if k.Rel == term.EQ {
				sense = Equal
			}
			lp.AddRow(es, sense, k.Const.Neg())
		}
		s, err := lp.Minimize(Limit{})
		if err != nil || s.Status != Optimal {
			return most, false
		}
		if v := s.Cost.Neg(); i == 0 || v.Cmp(most) > 0 {
			most = v
		}
	}
	return most, true
}

func TestSeparateExamples(t *testing.T) {
	p := term.NewPool()
	x, y, a := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", term.Int)
	r, s := p.Var("r", term.Real), p.Var("s", term.Real)
	i := p.Int
	one := p.Real(term.NewInt(1))
	at := func(u, v int64) Cube { return Cube{p.Eq(x, i(u)), p.Eq(y, i(v))} }
	for name, c := range map[string]struct {
		ps, qs []Cube
		opts   SeparateOptions
		want   *term.Term
	}{
		"a shared normal": {
			[]Cube{at(0, 0), at(1, 1), at(2, 2)}, []Cube{at(1, 0), at(5, 3)}, SeparateOptions{}, p.Le(x, y),
		},
		"the least normal": {
			[]Cube{at(0, 0), at(3, 5)}, []Cube{at(4, 0), at(9, 9)}, SeparateOptions{}, p.Le(x, i(3)),
		},
		"a cost per variable": {
			[]Cube{at(0, 0), at(3, 5)}, []Cube{at(4, 6), at(9, 9)},
			SeparateOptions{Cost: func(v *term.Term) term.Num {
				if v == x {
					return term.NewInt(3)
				}
				return term.NewInt(1)
			}}, p.Le(y, i(5)),
		},
		"an equality first": {
			[]Cube{at(0, 0), at(1, 2)}, []Cube{at(1, 1), at(2, 3), at(4, 9)}, SeparateOptions{Equalities: true},
			p.Eq(y, p.Scale(term.NewInt(2), x)),
		},
		"a strict half-space": {
			[]Cube{{p.Lt(r, s)}}, []Cube{{p.Eq(r, s)}, {p.Gt(r, p.Add(s, one))}}, SeparateOptions{}, p.Lt(r, s),
		},
		"a closed half-space against strict ones": {
			[]Cube{{p.Eq(r, s)}, {p.Lt(r, s)}}, []Cube{{p.Gt(r, s)}}, SeparateOptions{}, p.Le(r, s),
		},
		"a rounded direction": { // x <= 1/2 against x >= 1/2
			[]Cube{{p.Le(p.Add(x, a), i(1)), p.Le(x, a)}}, []Cube{{p.Ge(p.Add(x, a), i(1)), p.Ge(x, a), p.Le(x, i(9))}},
			SeparateOptions{Rounding: true}, p.Le(x, i(0)),
		},
		"a system constant": {
			[]Cube{at(3, 0)}, []Cube{at(100, 0)},
			SeparateOptions{Strength: Middle, Constants: []term.Num{term.NewInt(50)}}, p.Le(x, i(50)),
		},
		"a template": {
			[]Cube{at(0, 0), at(3, 5)}, []Cube{at(4, 0), at(9, 9)},
			SeparateOptions{Templates: []term.Linear{p.Linear(p.Sub(p.Scale(term.NewInt(3), x), y))}}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			vars := []*term.Term{x, y, r, s}
			h, ok := Separate(p, c.ps, c.qs, vars, c.opts)
			require.True(t, ok)
			if c.want != nil {
				require.Equal(t, c.want.String(), h.String())
			}
		})
	}
	_, ok := Separate(p, []Cube{at(0, 0), at(2, 2)}, []Cube{at(1, 1)}, []*term.Term{x, y}, SeparateOptions{})
	require.False(t, ok, "a Q between the Ps")
	_, ok = Separate(p, []Cube{{p.Le(x, i(3))}}, []Cube{{p.Ge(x, i(3))}}, []*term.Term{x}, SeparateOptions{Rounding: true})
	require.False(t, ok, "sides with a common point")
}

// Points of a planted line are separated by an equality from points off it.
func TestSeparateEqualityFindsAPlantedOne(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	xs := names(p, term.Int, "x", "y", "z")
	rapid.Check(t, func(t *rapid.T) {
		base, step := make([]int64, 3), make([]int64, 3)
		for k := range base {
			base[k], step[k] = rapid.Int64Range(-5, 5).Draw(t, "base"), rapid.Int64Range(-3, 3).Draw(t, "step")
		}
		point := func(at []int64) Cube {
			var c Cube
			for k, x := range xs {
				c = append(c, p.Eq(x, p.Int(at[k])))
			}
			return c
		}
		var ps, qs []Cube
		for k := range rapid.Int64Range(2, 6).Draw(t, "points") {
			ps = append(ps, point([]int64{base[0] + k*step[0], base[1] + k*step[1], base[2] + k*step[2]}))
		}
		off := rapid.IntRange(0, 2).Draw(t, "coordinate")
		at := slices.Clone(base)
		at[off] += rapid.Int64Range(1, 4).Draw(t, "distance")
		if rapid.Bool().Draw(t, "below") {
			at[off] = 2*base[off] - at[off]
		}
		others := 0
		for k := range step {
			if k != off && step[k] != 0 {
				others++
			}
		}
		if step[off] != 0 && others == 0 {
			return // it may lie on the line
		}
		qs = append(qs, point(at))
		h, ok := SeparateEquality(p, ps, qs, xs, SeparateOptions{})
		require.True(t, ok, "%v | %v", ps, qs)
		require.Equal(t, term.Eq, h.Op())
		for _, c := range ps {
			require.True(t, o.implies(t, p.And(c...), h))
		}
		require.True(t, o.unsat(t, append(qs[0], h)...))
	})
}

func BenchmarkFarkas30(b *testing.B) {
	p := term.NewPool()
	var as, bs Cube
	v := func(k int) *term.Term { return p.Var("v"+string(rune('a'+k)), term.Int) }
	// A chain of twenty differences among ten unrelated bounds, and a bound on the ends.
	for k := range 20 {
		as = append(as, p.Le(v(k), p.Sub(v(k+1), p.Int(int64(k%3)))))
		if k%2 == 0 {
			as = append(as, p.Le(p.Add(v(k), v((k*7)%20)), p.Int(100)))
		}
	}
	bs = append(bs, p.Ge(v(0), v(20)))
	for b.Loop() {
		if _, ok := Farkas(p, as, bs, FarkasOptions{}); !ok {
			b.Fatal("no certificate")
		}
	}
}

func BenchmarkSeparate(b *testing.B) {
	p := term.NewPool()
	xs := names(p, term.Int, "x", "y", "z", "u", "v")
	var ps, qs []Cube
	for k := range int64(8) {
		var c, d Cube
		for j, x := range xs {
			c = append(c, p.Ge(x, p.Int(k)), p.Le(x, p.Int(k+int64(j))))
			d = append(d, p.Ge(x, p.Int(k-3)), p.Le(x, p.Int(k+int64(j)+2)))
		}
		c = append(c, p.Le(xs[0], p.Add(xs[1], xs[2])), p.Le(xs[3], xs[4]))
		d = append(d, p.Gt(xs[0], p.Add(xs[1], xs[2])))
		ps, qs = append(ps, c), append(qs, d)
	}
	for b.Loop() {
		if _, ok := Separate(p, ps, qs, xs, SeparateOptions{}); !ok {
			b.Fatal("no separation")
		}
	}
}
