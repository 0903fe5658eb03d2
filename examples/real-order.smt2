; Real: two processes that take turns to move to their average stay in order, so the first never passes the second.
; verdict: sat
(set-logic HORN)
(declare-fun pair (Real Real) Bool)
(assert (forall ((x Real) (y Real)) (=> (<= x y) (pair x y))))
(assert (forall ((x Real) (y Real)) (=> (pair x y) (pair (/ (+ x y) 2.0) y))))
(assert (forall ((x Real) (y Real)) (=> (pair x y) (pair x (/ (+ x y) 2.0)))))
(assert (forall ((x Real) (y Real)) (=> (and (pair x y) (> x y)) false)))
(check-sat)
