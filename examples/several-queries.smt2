; Three queries over one loop.
; verdict: sat
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (inv 1 1))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (>= y 1))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (>= x 1))))
(assert (not (exists ((x Int)) (inv x 0))))
(check-sat)
