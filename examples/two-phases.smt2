; A counter that goes up to 50 while y stays, then both go up: at 100, y is 100.
; verdict: sat
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (inv 0 50))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 100)) (inv (+ x 1) (ite (< x 50) y (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 100) (not (= y 100))) false)))
(check-sat)
