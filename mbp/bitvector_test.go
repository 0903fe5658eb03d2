package mbp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// bitKind is a family of random scenes over bit-vectors.
type bitKind struct {
	name            string
	widths          []int     // of the variables
	ops             []term.Op // what terms are made of
	lits, eliminate int
}

var bitKinds = []bitKind{
	{name: "Linear", widths: []int{3, 3, 3}, ops: []term.Op{term.BVAdd, term.BVSub, term.BVNeg, term.BVMul, term.BVNot}, lits: 3, eliminate: 1},
	{name: "Bounds", widths: []int{3, 3, 3}, lits: 5, eliminate: 1},
	{name: "TwoBounds", widths: []int{2, 2, 2, 2}, ops: []term.Op{term.BVAdd}, lits: 5, eliminate: 2},
	{name: "Parts", widths: []int{4, 2, 2}, ops: []term.Op{term.BVConcat, term.BVExtract, term.BVZeroExtend, term.BVSignExtend,
		term.BVRotateLeft, term.BVRotateRight, term.BVRepeat, term.BVComp}, lits: 3, eliminate: 1},
	{name: "Masks", widths: []int{4, 4}, ops: []term.Op{term.BVAnd, term.BVOr, term.BVXor, term.BVLshr, term.BVAshr, term.BVShl,
		term.BVExtract}, lits: 3, eliminate: 1},
	{name: "Inverted", widths: []int{2, 2, 2, 2}, ops: []term.Op{term.BVXor, term.BVXor, term.BVMul, term.BVAdd, term.BVNot}, lits: 3, eliminate: 3},
	{name: "All", widths: []int{3, 3, 2, 1}, ops: []term.Op{term.BVAdd, term.BVSub, term.BVNeg, term.BVMul, term.BVNot, term.BVConcat,
		term.BVExtract, term.BVZeroExtend, term.BVSignExtend, term.BVAnd, term.BVOr, term.BVXor, term.BVLshr, term.BVAshr, term.BVShl,
		term.BVUdiv, term.BVUrem, term.BVSdiv, term.BVComp, term.Ite}, lits: 4, eliminate: 2},
}

// bitScene is a scene with bit-vector variables only.
type bitScene struct {
	*scene
	kind bitKind
	vars []*term.Term
}

func newBitScene(t *rapid.T, p *term.Pool, k bitKind) *bitScene {
	s := &bitScene{scene: newScene(t, p, kind{}), kind: k}
	for i, w := range k.widths {
		v := p.Var(fmt.Sprintf("v%d", i), p.BitVec(w))
		s.vars = append(s.vars, v)
		s.a[v] = term.TermValue(s.number(w))
	}
	s.ev = term.NewEvaluator(p, s.a)
	return s
}

func (s *bitScene) number(w int) *term.Term { return s.p.BVNum(s.num(0, 1<<w-1), w) }

// of is a random term of a width.
func (s *bitScene) of(w, depth int) *term.Term {
	if s.pick(8) == 0 {
		return s.number(w)
	}
	if depth == 0 || len(s.kind.ops) == 0 || s.pick(3) == 0 {
		var fit []*term.Term
		for _, v := range s.vars {
			if v.Sort().Width == w {
				fit = append(fit, v)
			}
		}
		if len(fit) == 0 {
			if w < 3 {
				v := s.vars[0]
				lo := s.between(0, v.Sort().Width-w)
				return s.p.Extract(lo+w-1, lo, v)
			}
			return s.number(w)
		}
		return fit[s.pick(len(fit))]
	}
	sub := func(w int) *term.Term { return s.of(w, depth-1) }
	switch op := s.kind.ops[s.pick(len(s.kind.ops))]; op {
	case term.BVNeg, term.BVNot:
		return s.p.BV(op, sub(w))
	case term.BVAdd, term.BVSub, term.BVAnd, term.BVOr, term.BVXor, term.BVUdiv, term.BVUrem, term.BVSdiv:
		a, b := sub(w), sub(w)
		if s.pick(2) == 0 {
			b = s.number(w)
		}
		return s.p.BV(op, a, b)
	case term.BVMul, term.BVLshr, term.BVAshr, term.BVShl:
		by := s.number(w)
		if s.pick(5) == 0 {
			by = sub(w)
		}
		return s.p.BV(op, sub(w), by)
	case term.BVConcat:
		if w > 1 {
			k := s.between(1, w-1)
			return s.p.BV(op, sub(k), sub(w-k))
		}
	case term.BVExtract:
		if w < 4 {
			from := s.between(w, 4)
			lo := s.between(0, from-w)
			return s.p.Extract(lo+w-1, lo, sub(from))
		}
	case term.BVZeroExtend, term.BVSignExtend:
		if w > 1 {
			k := s.between(1, w-1)
			if op == term.BVZeroExtend {
				return s.p.ZeroExtend(k, sub(w-k))
			}
			return s.p.SignExtend(k, sub(w-k))
		}
	case term.BVRotateLeft:
		return s.p.RotateLeft(s.pick(5), sub(w))
	case term.BVRotateRight:
		return s.p.RotateRight(s.pick(5), sub(w))
	case term.BVRepeat:
		if w%2 == 0 {
			return s.p.Repeat(2, sub(w/2))
		}
	case term.BVComp:
		if w == 1 {
			k := s.between(1, 3)
			return s.p.BV(op, sub(k), sub(k))
		}
	case term.Ite:
		return s.p.Ite(s.comparison(depth-1), sub(w), sub(w))
	}
	return sub(w)
}

// comparison is a random true literal.
func (s *bitScene) comparison(depth int) *term.Term {
	w := s.vars[s.pick(len(s.vars))].Sort().Width
	a, b := s.of(w, depth), s.of(w, depth)
	switch s.pick(5) {
	case 0, 1:
		return s.signed(s.p.BV(term.BVUle, a, b))
	case 2, 3:
		return s.signed(s.p.BV(term.BVSle, a, b))
	default:
		if s.pick(3) > 0 { // made true by a constant
			va, _ := s.ev.Eval(a)
			vb, _ := s.ev.Eval(b)
			b = s.p.BV(term.BVAdd, b, s.p.BVNum(va.Num().Sub(vb.Num()), w))
		}
		return s.signed(s.p.Eq(a, b))
	}
}

// TestProjectBitVectors: the projection of a random true cube over short bit-vectors is true under the assignment, has
// none of the variables, and at each of its points the cube has a solution; when it is called exact it is true wherever
// the cube has one. All points are tried.
func TestProjectBitVectors(t *testing.T) {
	for _, k := range bitKinds {
		t.Run(k.name, func(t *testing.T) {
			p := term.NewPool()
			substituted, total := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				s := newBitScene(t, p, k)
				var cube []*term.Term
				for range k.lits {
					cube = append(cube, term.Conjuncts(s.comparison(2))...)
				}
				vars := rapid.Permutation(s.vars).Draw(t, "vars")
				eliminate, params := vars[:k.eliminate], vars[k.eliminate:]
				pr := New(p, Options{MaxResolvents: s.between(1, 6)})
				out, exact, err := pr.ProjectExact(cube, eliminate, s.a)
				require.NoError(t, err)
				requireProjection(t, s.scene, cube, out, eliminate)
				require.Zero(t, pr.Stats().Violations, "cube %v gave a false result", cube)
				substituted += pr.Stats().Substituted
				total += k.eliminate
				s.everywhere(params, func(at term.MapAssignment) {
					holds := allTrue(p, at, out)
					if !holds && !exact {
						return
					}
					solved := false
					s.extend(at, eliminate, func(at term.MapAssignment) bool {
						solved = allTrue(p, at, cube)
						return !solved
					})
					require.Equal(t, holds, solved, "cube %v at %v, result %v of eliminating %v (exact %v)", cube, at, out, eliminate, exact)
				})
			})
			t.Logf("%d of %d variables by value", substituted, total)
		})
	}
}

func allTrue(p *term.Pool, at term.Assignment, fs []*term.Term) bool {
	ev := term.NewEvaluator(p, at)
	for _, f := range fs {
		if !ev.True(f) {
			return false
		}
	}
	return true
}

// everywhere calls f with each assignment of the variables.
func (s *bitScene) everywhere(vars []*term.Term, f func(term.MapAssignment)) {
	s.extend(term.MapAssignment{}, vars, func(at term.MapAssignment) bool {
		f(at)
		return true
	})
}

// extend calls f with each extension of an assignment to the variables until f returns false.
func (s *bitScene) extend(at term.MapAssignment, vars []*term.Term, f func(term.MapAssignment) bool) bool {
	if len(vars) == 0 {
		return f(at)
	}
	w := vars[0].Sort().Width
	for n := range 1 << w {
		at[vars[0]] = term.TermValue(s.p.BVNum(term.NewInt(int64(n)), w))
		if !s.extend(at, vars[1:], f) {
			return false
		}
	}
	delete(at, vars[0])
	return true
}

// TestInversionsEnd: an exclusive or whose sides have one variable each, inside what has no inverse, is not inverted for
// one and back for the other; and one that can be inverted all the way is, though others look at it first.
func TestInversionsEnd(t *testing.T) {
	p := term.NewPool()
	x, y, z, a := p.Var("x", p.BitVec(4)), p.Var("y", p.BitVec(4)), p.Var("z", p.BitVec(4)), p.Var("a", p.BitVec(4))
	at := term.MapAssignment{}
	for v, n := range map[*term.Term]int64{x: 3, y: 3, z: 2, a: 2} {
		at[v] = term.TermValue(p.BVNum(term.NewInt(n), 4))
	}
	square := func(t *term.Term) *term.Term { return p.BV(term.BVMul, t, t) }
	xor := func(s, t *term.Term) *term.Term { return p.BV(term.BVXor, s, t) }
	for _, c := range []struct {
		cube, eliminate []*term.Term
		substituted     int
	}{
		{[]*term.Term{p.Eq(square(x), xor(xor(a, p.BVNum(term.NewInt(2), 4)), square(y)))}, []*term.Term{x, y}, 2},
		{[]*term.Term{p.Eq(square(x), xor(xor(a, z), square(y))), p.Not(p.Eq(z, y))}, []*term.Term{x, y, z}, 2},
	} {
		pr := New(p, Options{})
		out, err := pr.Project(c.cube, c.eliminate, at)
		require.NoError(t, err)
		require.True(t, allTrue(p, at, out))
		require.False(t, term.HasAny(p.And(out...), map[*term.Term]bool{x: true, y: true, z: true}))
		require.Zero(t, pr.Stats().Violations)
		require.Equal(t, c.substituted, pr.Stats().Substituted)
	}
}

// TestBitForm: the form of a literal has the same value everywhere, under the conditions that the model decides.
func TestBitForm(t *testing.T) {
	p := term.NewPool()
	rapid.Check(t, func(t *rapid.T) {
		s := newBitScene(t, p, bitKinds[rapid.IntRange(3, len(bitKinds)-1).Draw(t, "kind")])
		for range 5 {
			lit := s.comparison(3)
			f := bitForm{s: newSystem(p, &Options{}, &Stats{}, 1, s.vars, s.a), p: p}
			out := f.literal(lit)
			s.everywhere(s.vars, func(at term.MapAssignment) {
				if allTrue(p, at, f.conds) {
					require.Equal(t, allTrue(p, at, []*term.Term{lit}), allTrue(p, at, []*term.Term{out}), "%v became %v at %v", lit, out, at)
				}
			})
		}
	})
}

// TestBitFormParts: extracts of every part of an extended or joined term and comparisons of joined terms keep their
// values.
func TestBitFormParts(t *testing.T) {
	p := term.NewPool()
	u, v, w := p.Var("u", p.BitVec(3)), p.Var("v", p.BitVec(2)), p.Var("w", p.BitVec(2))
	s := &bitScene{scene: &scene{p: p}}
	var lits []*term.Term
	for _, x := range []*term.Term{p.SignExtend(3, u), p.ZeroExtend(3, u), p.BV(term.BVConcat, u, v, p.BVNum(one, 1)), p.RotateLeft(2, p.ZeroExtend(3, u))} {
		for hi := range 6 {
			for lo := range hi + 1 {
				lits = append(lits, p.Eq(p.Extract(hi, lo, x), p.BVNum(one, hi-lo+1)), p.Eq(p.Extract(hi, lo, x), p.BVNum(one.Neg(), hi-lo+1)))
			}
		}
	}
	for _, op := range []term.Op{term.BVUle, term.BVSle} {
		for _, a := range []*term.Term{v, p.BVNum(one, 2), p.BVNum(term.NewInt(2), 2)} {
			for _, b := range []*term.Term{v, w, p.BVNum(term.NewInt(2), 2)} {
				lits = append(lits, p.BV(op, p.BV(term.BVConcat, a, v), p.BV(term.BVConcat, b, w)))
			}
		}
	}
	vars := []*term.Term{u, v, w}
	for _, lit := range lits {
		f := bitForm{s: newSystem(p, &Options{}, &Stats{}, 1, vars, term.MapAssignment{}), p: p}
		out := f.literal(lit)
		s.everywhere(vars, func(at term.MapAssignment) {
			require.Equal(t, allTrue(p, at, []*term.Term{lit}), allTrue(p, at, []*term.Term{out}), "%v became %v at %v", lit, out, at)
		})
	}
}

// TestBitSum: a linear form has the value of its term, and an odd number times its inverse is one.
func TestBitSum(t *testing.T) {
	p := term.NewPool()
	rapid.Check(t, func(t *rapid.T) {
		s := newBitScene(t, p, bitKinds[0])
		sys := newSystem(p, &Options{}, &Stats{}, 1, s.vars, s.a)
		for range 5 {
			x := s.of(3, 3)
			y := p.BV(term.BVShl, x, s.number(3))
			if s.pick(2) == 0 {
				k := s.between(1, 3)
				y = p.BV(term.BVConcat, p.BV(term.BVConcat, p.BV(term.BVAdd, s.p.Extract(k-1, 0, x), s.number(k)), s.number(k)), s.number(k))
			} else if s.pick(2) == 0 {
				k := s.between(1, 2)
				y = p.BV(term.BVAdd, y, p.BV(term.BVConcat, s.p.Extract(k-1, 0, x), s.number(3-k)))
			}
			require.True(t, s.ev.True(p.Eq(y, sys.bitTerm(sys.bitSum(y)))), "%v", y)
		}
		w := s.between(1, 70)
		n := term.NewInt(int64(2*s.between(0, 1<<20) + 1))
		require.True(t, residue(n.Mul(inverse(n, w)), power(w)).IsOne(), "%v modulo 2^%d", n, w)
		k, odd := oddPart(n.Mul(power(w)))
		require.Equal(t, w, k)
		require.True(t, odd.Equal(n))
	})
}

// TestBitVectorRules: what each rule makes of a small cube.
func TestBitVectorRules(t *testing.T) {
	p := term.NewPool()
	bv := func(name string, w int) *term.Term { return p.Var(name, p.BitVec(w)) }
	x, a, b, c, d, h := bv("x", 8), bv("a", 8), bv("b", 8), bv("c", 8), bv("d", 8), bv("h", 8)
	u, v := bv("u", 4), bv("v", 4)
	e, f, g := bv("e", 1), bv("f", 1), bv("g", 1)
	n := func(i int64) *term.Term { return p.BVNum(term.NewInt(i), 8) }
	op := p.BV
	le, lt := func(a, b *term.Term) *term.Term { return op(term.BVUle, a, b) }, func(a, b *term.Term) *term.Term { return op(term.BVUlt, a, b) }
	sle := func(a, b *term.Term) *term.Term { return op(term.BVSle, a, b) }
	add := func(a, b *term.Term) *term.Term { return op(term.BVAdd, a, b) }
	mul := func(k int64, t *term.Term) *term.Term { return op(term.BVMul, n(k), t) }
	type lits = []*term.Term
	for _, tc := range []struct {
		name      string
		cube      lits
		eliminate *term.Term
		at        map[*term.Term]int64
		want      lits
		exact     bool
	}{
		{"sum", lits{p.Eq(add(x, a), b), le(x, c)}, x, map[*term.Term]int64{x: 3, a: 2, b: 5, c: 9}, lits{le(op(term.BVSub, b, a), c)}, true},
		{"odd multiple", lits{p.Eq(mul(3, x), a), le(x, c)}, x, map[*term.Term]int64{x: 3, a: 9, c: 9}, lits{le(mul(171, a), c)}, true},
		{"even multiple", lits{p.Eq(mul(4, x), a)}, x, map[*term.Term]int64{x: 3, a: 12}, lits{p.Eq(p.Extract(1, 0, a), p.BVNum(term.NewInt(0), 2))}, true},
		{"even multiple, high bits free", lits{p.Eq(mul(128, x), a), p.Eq(p.Extract(7, 1, x), p.Extract(6, 0, b))}, x,
			map[*term.Term]int64{x: 3, a: 128, b: 1}, lits{p.Eq(p.Extract(6, 0, a), p.BVNum(term.NewInt(0), 7))}, true},
		{"exclusive or", lits{p.Eq(op(term.BVXor, x, a), b), le(x, c)}, x, map[*term.Term]int64{x: 1, a: 2, b: 3, c: 9}, lits{le(op(term.BVXor, a, b), c)}, true},
		{"sign extension", lits{p.Eq(p.SignExtend(4, u), a), op(term.BVUle, u, v)}, u, map[*term.Term]int64{u: 9, a: 249, v: 10},
			lits{p.Eq(a, p.SignExtend(4, p.Extract(3, 0, a))), op(term.BVUle, p.Extract(3, 0, a), v)}, true},
		{"zero extension", lits{p.Eq(p.ZeroExtend(4, u), a), op(term.BVUle, u, v)}, u, map[*term.Term]int64{u: 9, a: 9, v: 10},
			lits{p.Eq(p.BVNum(term.NewInt(0), 4), p.Extract(7, 4, a)), op(term.BVUle, p.Extract(3, 0, a), v)}, true},
		{"rotation", lits{p.Eq(p.RotateLeft(3, x), a), le(x, b)}, x, map[*term.Term]int64{x: 1, a: 8, b: 2},
			lits{le(op(term.BVConcat, p.Extract(2, 0, a), p.Extract(7, 3, a)), b)}, true},
		{"unequal to few", lits{p.Ne(x, a), p.Ne(mul(3, x), b), p.Ne(x, c)}, x, map[*term.Term]int64{x: 1, a: 2, b: 2, c: 7}, nil, true},
		{"unequal bits", lits{p.Ne(e, f), p.Ne(e, g)}, e, map[*term.Term]int64{e: 1, f: 0, g: 0}, lits{p.Ne(g, op(term.BVAdd, f, p.BVNum(one, 1)))}, false},
		{"even multiples differ", lits{p.Ne(mul(2, x), a), p.Eq(a, b)}, x, map[*term.Term]int64{x: 1, a: 4, b: 4}, lits{p.Ne(n(2), a), p.Eq(a, b)}, false},
		{"one side", lits{le(a, x), le(b, x)}, x, map[*term.Term]int64{x: 9, a: 2, b: 2}, nil, true},
		{"one side, strict", lits{lt(a, x), le(b, x)}, x, map[*term.Term]int64{x: 9, a: 2, b: 2}, lits{p.Ne(a, n(255))}, true},
		{"one side, signed", lits{op(term.BVSlt, x, a)}, x, map[*term.Term]int64{x: 1, a: 2}, lits{p.Ne(a, n(128))}, true},
		{"pairs", lits{le(a, x), lt(b, x), le(x, c)}, x, map[*term.Term]int64{x: 3, a: 1, b: 2, c: 3}, lits{le(a, c), lt(b, c)}, true},
		{"two strict bounds", lits{lt(a, x), lt(x, b)}, x, map[*term.Term]int64{x: 3, a: 1, b: 9}, lits{lt(a, b), lt(add(a, n(1)), b)}, true},
		{"tightest", lits{lt(b, x), le(a, x), lt(x, c), lt(x, d), le(x, h)}, x, map[*term.Term]int64{x: 3, a: 3, b: 2, c: 4, d: 5, h: 3},
			lits{lt(b, a), lt(a, c), lt(a, d), le(a, h)}, false},
		{"tightest, strict", lits{le(a, x), lt(b, x), lt(x, c), lt(x, d), le(x, h)}, x, map[*term.Term]int64{x: 5, a: 3, b: 3, c: 7, d: 8, h: 6},
			lits{le(a, b), lt(b, c), lt(add(b, n(1)), c), lt(b, d), lt(add(b, n(1)), d), lt(b, h)}, false},
		{"one shift", lits{le(a, add(x, d)), le(add(x, d), b)}, x, map[*term.Term]int64{x: 3, a: 3, b: 12, d: 2}, lits{le(a, b)}, true},
		{"no overflow", lits{le(a, x), le(x, add(x, b))}, x, map[*term.Term]int64{x: 3, a: 3, b: 12}, lits{le(a, add(a, b))}, false},
		{"both signs", lits{le(a, x), sle(x, b)}, x, map[*term.Term]int64{x: 3, a: 3, b: 12}, lits{sle(a, b)}, false},
		{"low bit kept", lits{le(a, x), le(x, add(x, b)), sle(c, x), p.Eq(p.Extract(0, 0, x), e)}, x, map[*term.Term]int64{x: 5, a: 2, b: 9, c: 1, e: 1},
			lits{le(a, n(127)), le(n(127), add(b, n(127))), p.Eq(e, p.BVNum(one, 1))}, false},
		{"low bit kept relative to a bound", lits{le(a, x), le(x, b), le(c, add(x, d)), p.Eq(p.Extract(0, 0, add(x, h)), e)}, x,
			map[*term.Term]int64{x: 5, a: 2, b: 9, c: 1, d: 3, h: 0, e: 1},
			lits{le(a, add(a, n(1))), le(add(a, n(1)), b), le(c, add(n(1), add(a, d))),
				p.Eq(e, add(p.Extract(0, 0, h), p.Extract(0, 0, add(a, n(1)))))}, false},
		{"low bit given", lits{le(a, x), le(x, b), p.Eq(p.Extract(0, 0, x), e)}, x, map[*term.Term]int64{x: 5, a: 2, b: 9, e: 1},
			lits{lt(p.Extract(7, 1, a), p.Extract(7, 1, b)), lt(op(term.BVAdd, p.Extract(7, 1, a), p.BVNum(one, 7)), p.Extract(7, 1, b))}, false},
		{"parts", lits{p.Eq(p.Extract(3, 0, x), u), p.Eq(p.Extract(5, 2, x), v)}, x, map[*term.Term]int64{x: 36, u: 4, v: 9},
			lits{p.Eq(p.Extract(3, 2, u), p.Extract(1, 0, v))}, true},
		{"lower part of an order", lits{sle(op(term.BVConcat, u, v), a), sle(op(term.BVConcat, u, v), b)}, v,
			map[*term.Term]int64{u: 1, v: 3, a: 20, b: 40},
			lits{p.Eq(u, p.Extract(7, 4, a)), op(term.BVSlt, u, p.Extract(7, 4, b))}, false},
		{"bvcomp", lits{p.Eq(op(term.BVComp, x, a), p.BVNum(term.NewInt(1), 1)), le(x, b)}, x, map[*term.Term]int64{x: 1, a: 1, b: 3}, lits{le(a, b)}, true},
		{"multiples with zeros behind", lits{p.Eq(add(op(term.BVConcat, v, p.BVNum(term.NewInt(0), 4)), a), add(b, mul(2, op(term.BVConcat, v, p.BVNum(term.NewInt(0), 4)))))}, v,
			map[*term.Term]int64{v: 1, a: 17, b: 1}, lits{p.Eq(p.BVNum(term.NewInt(0), 4), p.Extract(3, 0, op(term.BVSub, a, b)))}, true},
		{"cancelled", lits{sle(op(term.BVSub, add(x, a), x), b), le(x, c)}, x, map[*term.Term]int64{x: 1, a: 17, b: 18, c: 3}, lits{sle(a, b)}, true},
		{"mask", lits{p.Eq(op(term.BVAnd, x, n(15)), a)}, x, map[*term.Term]int64{x: 37, a: 5},
			lits{p.Eq(p.BVNum(term.NewInt(0), 4), p.Extract(7, 4, a))}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at := term.MapAssignment{}
			for v, i := range tc.at {
				at[v] = term.TermValue(p.BVNum(term.NewInt(i), v.Sort().Width))
			}
			pr := New(p, Options{MaxResolvents: 3})
			got, exact, err := pr.ProjectExact(tc.cube, []*term.Term{tc.eliminate}, at)
			require.NoError(t, err)
			require.ElementsMatch(t, texts(tc.want...), texts(got...))
			require.Equal(t, tc.exact, exact)
			require.Zero(t, pr.Stats().Violations)
		})
	}
}
