; The seventh Fibonacci number is 13.
; verdict: unsat
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= 1 n 2) (fib n 1))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (=> (fib 7 13) false))
(check-sat)
