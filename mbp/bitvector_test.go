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
