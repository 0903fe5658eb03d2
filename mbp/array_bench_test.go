package mbp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hornbeam/chc/term"
)

// arrayCube is what a step of a heap-manipulating program looks like: some memories, each made from the one before by
// stores at computed addresses, read at others, with bounds on what is read. The memories in between, the addresses and
// what is read are to be eliminated.
func arrayCube(p *term.Pool, memories, steps, reads int) (cube, eliminate []*term.Term, at term.MapAssignment) {
	rng := rand.New(rand.NewPCG(3, 4))
	at = term.MapAssignment{}
	sort := p.Array(term.Int, term.Int)
	number := func(name string, n int) *term.Term {
		v := p.Var(name, term.Int)
		at[v] = term.NumValue(term.NewInt(int64(n)), term.Int)
		return v
	}
	var state []*term.Term
	for i := range 8 {
		state = append(state, number(fmt.Sprintf("x%d", i), rng.IntN(20)))
	}
	for m := range memories {
		a := p.Var(fmt.Sprintf("a%d", m), sort)
		val := p.ConstArray(sort, p.Int(int64(m)))
		at[a] = term.TermValue(val)
		for k := range steps {
			value := func(t *term.Term) *term.Term {
				v, _ := term.NewEvaluator(p, at).Eval(t)
				return v.Term(p)
			}
			x := state[rng.IntN(len(state))]
			i := number(fmt.Sprintf("i%d.%d", m, k), 0)
			at[i] = term.TermValue(value(p.Add(x, p.Int(int64(k)))))
			v := number(fmt.Sprintf("e%d.%d", m, k), rng.IntN(9))
			next := p.Var(fmt.Sprintf("a%d.%d", m, k), sort)
			val = p.Store(val, value(i), value(v))
			at[next] = term.TermValue(val)
			cube = append(cube, p.Eq(i, p.Add(x, p.Int(int64(k)))))
			if k%3 == 2 { // only partly defined
				cube = append(cube, p.Eq(p.Store(a, i, v), p.Store(next, i, v)), p.Eq(p.Select(next, i), v))
			} else {
				cube = append(cube, p.Eq(next, p.Store(a, i, v)))
			}
			for range reads {
				j := state[rng.IntN(len(state))]
				cube = append(cube, p.Le(p.Select(next, j), p.Add(v, p.Int(20))))
			}
			eliminate = append(eliminate, i, v, a)
			a = next
		}
	}
	return cube, eliminate, at
}

func BenchmarkProjectArrays(b *testing.B) {
	for _, bc := range []struct {
		name                   string
		memories, steps, reads int
	}{
		{"1x4", 1, 4, 2},
		{"2x8", 2, 8, 2},
		{"4x16", 4, 16, 2},
	} {
		for _, off := range []bool{false, true} {
			name := bc.name
			if off {
				name += "/Substitute"
			}
			b.Run(name, func(b *testing.B) {
				p := term.NewPool()
				cube, eliminate, at := arrayCube(p, bc.memories, bc.steps, bc.reads)
				pr := New(p, Options{SubstituteArrays: off})
				b.ReportAllocs()
				var out []*term.Term
				for b.Loop() {
					var err error
					if out, err = pr.Project(cube, eliminate, at); err != nil {
						b.Fatal(err)
					}
				}
				st := pr.Stats()
				if st.Violations > 0 {
					b.Fatal("a result was false under the assignment")
				}
				b.ReportMetric(float64(len(out)), "literals")
				b.ReportMetric(float64(st.Substituted)/float64(st.Calls), "substituted/op")
			})
		}
	}
}
