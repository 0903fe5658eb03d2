; A counter that goes up to 5 while y stays, then both go up: at 10, y is 10.
; verdict: sat
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (inv 0 5))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (ite (< x 5) y (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 10) (not (= y 10))) false)))
(check-sat)
