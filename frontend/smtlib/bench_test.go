package smtlib

import (
	"fmt"
	"strings"
	"testing"

	"hornbeam/chc/term"
)

// manyClauses is a script of about the size, in the form in which CHC-COMP's tasks come.
func manyClauses(size int) []byte {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n")
	for i := range 50 {
		fmt.Fprintf(&b, "(declare-fun |inv_%d_main| ( Int Int Int Int Int Int Bool ) Bool)\n", i)
	}
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `(assert
  (forall ( (A Int) (B Int) (C Int) (D Int) (E Int) (F Int) (G Int) (H Bool) )
    (=>
      (and
        (|inv_%d_main| A B C D E F H)
        (and (= A (+ %d G)) (or (not (= B %d)) (and (>= C 0) (<= (+ C (* (- 1) D)) %d))) (not (= E (* 3 F))) H)
      )
      (|inv_%d_main| G B C D (+ E 1) F (not H))
    )
  )
)
`, i%50, i, i%7, i%11, (i+1)%50)
	}
	b.WriteString("(check-sat)\n")
	return []byte(b.String())
}

// nestedLets is one clause of lets, each in the body of the one before, as MathSAT prints formulas.
func nestedLets(size int) []byte {
	var b strings.Builder
	b.WriteString("(declare-fun P (Int Bool) Bool)\n(assert (forall ((x Int) (y Int) (b Bool)) (=> (P x b) ")
	n := 0
	b.WriteString("(let ((.def_0 b)) (let ((.int_0 x)) ")
	for ; b.Len() < size; n++ {
		fmt.Fprintf(&b, "(let ((.int_%d (ite .def_%d (+ .int_%d %d) y))) (let ((.def_%d (not (and .def_%d (<= .int_%d %d))))) ",
			n+1, n, n, n%5, n+1, n, n+1, n%13)
	}
	fmt.Fprintf(&b, "(P .int_%d .def_%d)", n, n)
	b.WriteString(strings.Repeat(")", 2*n+2) + ")))\n(check-sat)\n")
	return []byte(b.String())
}

func benchmarkRead(b *testing.B, src []byte) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read("bench", src, term.NewPool()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadClauses(b *testing.B)    { benchmarkRead(b, manyClauses(1<<20)) }
func BenchmarkReadNestedLets(b *testing.B) { benchmarkRead(b, nestedLets(600_000)) }
