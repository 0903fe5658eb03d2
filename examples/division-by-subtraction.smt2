; Division by repeated subtraction leaves a remainder between 0 and d - 1.
; verdict: sat
(set-logic HORN)
(declare-fun div (Int Int Int) Bool)
(assert (forall ((n Int) (d Int)) (=> (and (>= n 0) (> d 0)) (div n d 0))))
(assert (forall ((r Int) (d Int) (q Int)) (=> (and (div r d q) (>= r d)) (div (- r d) d (+ q 1)))))
(assert (forall ((r Int) (d Int) (q Int)) (=> (and (div r d q) (< r d) (or (< r 0) (< q 0))) false)))
(check-sat)
