; The towers of Hanoi take at least as many moves as there are discs.
; verdict: sat
(set-logic HORN)
(declare-fun hanoi (Int Int) Bool)
(assert (hanoi 1 1))
(assert (forall ((n Int) (a Int)) (=> (and (> n 1) (hanoi (- n 1) a)) (hanoi n (+ (* 2 a) 1)))))
(assert (forall ((n Int) (m Int)) (=> (and (hanoi n m) (< m n)) false)))
(check-sat)
