package hornbeam_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hornbeam"
)

const counter = `(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x %d)) false)))
(check-sat)
`

func ExampleSolve() {
	clauses, err := hornbeam.Read("counter.smt2", fmt.Appendf(nil, counter, 5))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := hornbeam.Solve(context.Background(), clauses, hornbeam.Options{Timeout: time.Minute})
	fmt.Println(answer.Verdict, len(answer.Refutation.Steps))
	// Output: unsat 8
}

func ExampleCheck() {
	clauses, err := hornbeam.Read("counter.smt2", fmt.Appendf(nil, counter, 10))
	if err != nil {
		fmt.Println(err)
		return
	}
	good := `((define-fun p ((x Int)) Bool (<= x 10)))`
	bad := `((define-fun p ((x Int)) Bool (<= x 9)))`
	fmt.Println(hornbeam.Check(context.Background(), clauses, "good", []byte(good)))
	fmt.Println(errors.Is(hornbeam.Check(context.Background(), clauses, "bad", []byte(bad)), hornbeam.ErrRefused))
	// Output:
	// <nil>
	// true
}

func ExampleVerify() {
	program := `void reach_error(void);
int main(void) {
  unsigned char c = 255;
  c++;
  if (c == 0) reach_error();
}
`
	result, err := hornbeam.Verify(context.Background(), "wraps.c", []byte(program), hornbeam.Options{Timeout: time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Word(), "in line", result.Trace.Failure().Pos.Line)
	// Output: unsafe in line 5
}

func ExampleRead() {
	_, err := hornbeam.Read("typo.smt2", []byte("(set-logic HORN)\n(asert true)"))
	fmt.Println(err)
	// Output: typo.smt2:2:2: unknown command asert
}
