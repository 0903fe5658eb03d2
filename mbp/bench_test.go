package mbp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hornbeam/chc/term"
)

// largeCube is what a proof obligation's step looks like in the large: state variables, as many variables to eliminate
// that equations define from them and each other, bounds, differences and sums of both, Booleans and some parities.
func largeCube(p *term.Pool, sort *term.Sort, vars, lits, equations int) (cube, eliminate []*term.Term, at term.MapAssignment) {
	rng := rand.New(rand.NewPCG(1, 2))
	at = term.MapAssignment{}
	var xs []*term.Term
	for i := range vars {
		x := p.Var(fmt.Sprintf("v%d", i), sort)
		xs = append(xs, x)
		at[x] = term.NumValue(term.NewInt(int64(rng.IntN(2000)-1000)), sort)
	}
	eliminate = xs[vars/2:]
	ev := term.NewEvaluator(p, at)
	sum := func(n int) (*term.Term, term.Num) {
		var parts []*term.Term
		for range n {
			c := term.NewInt(int64(1 - 2*rng.IntN(2)))
			if rng.IntN(6) == 0 {
				c = term.NewInt(int64(rng.IntN(9) - 4))
			}
			parts = append(parts, p.Scale(c, xs[rng.IntN(vars)]))
		}
		t := p.Add(parts...)
		v, _ := ev.Eval(t)
		return t, v.Num()
	}
	for i := range equations {
		x := eliminate[i%len(eliminate)]
		t, v := sum(1 + rng.IntN(2))
		d := at[x].Num().Sub(v)
		cube = append(cube, p.Eq(x, p.Add(t, p.Numeral(d, sort))))
	}
	for len(cube) < lits {
		t, v := sum(1 + rng.IntN(3))
		slack := term.NewInt(int64(rng.IntN(50)))
		switch k := rng.IntN(20); {
		case k == 0:
			b := p.Var(fmt.Sprintf("b%d", rng.IntN(20)), term.Bool)
			at[b] = term.BoolValue(true)
			cube = append(cube, b)
		case k == 1 && sort == term.Int:
			_, r := term.EuclidDiv(v, term.NewInt(4))
			cube = append(cube, p.Divides(term.NewInt(4), p.Sub(t, p.IntNum(r))))
		case k < 10:
			cube = append(cube, p.Le(t, p.Numeral(v.Add(slack), sort)))
		default:
			cube = append(cube, p.Ge(t, p.Numeral(v.Sub(slack), sort)))
		}
	}
	return cube, eliminate, at
}

func BenchmarkProject(b *testing.B) {
	for _, bc := range []struct {
		name                  string
		sort                  *term.Sort
		vars, lits, equations int
	}{
		{"LIA/20x40", term.Int, 20, 40, 8},
		{"LIA/200x400", term.Int, 200, 400, 90},
		{"LIA/200x400/NoEquations", term.Int, 200, 400, 0},
		{"LRA/200x400", term.Real, 200, 400, 90},
		{"LRA/200x400/NoEquations", term.Real, 200, 400, 0},
		{"LIA/500x1000", term.Int, 500, 1000, 230},
	} {
		b.Run(bc.name, func(b *testing.B) {
			p := term.NewPool()
			cube, eliminate, at := largeCube(p, bc.sort, bc.vars, bc.lits, bc.equations)
			pr := New(p, Options{})
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
			b.ReportMetric(float64(st.Tightest)/float64(st.Calls), "tightest/op")
		})
	}
}

func BenchmarkImplicant(b *testing.B) {
	b.Run("Deep", func(b *testing.B) {
		p := term.NewPool()
		f, at := deepFormula(p, 20000)
		b.ReportAllocs()
		b.ReportMetric(float64(f.Size()), "nodes")
		for b.Loop() {
			if _, err := ImplicantOf(p, []*term.Term{f}, at, ImplicantOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Clauses", func(b *testing.B) {
		p := term.NewPool()
		cube, eliminate, at := largeCube(p, term.Int, 200, 400, 90)
		fs := cube[:200]
		for i := 200; i+2 < len(cube); i++ {
			fs = append(fs, p.Or(cube[i], p.And(cube[i+1], cube[i-7]), p.Not(cube[i+2])))
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ImplicantOf(p, fs, at, ImplicantOptions{Avoid: eliminate}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
