; Real: two processes that move halfway towards each other never leave the interval that they began in.
; verdict: sat
(set-logic HORN)
(declare-fun pair (Real Real) Bool)
(assert (forall ((x Real) (y Real)) (=> (and (<= 0.0 x 1.0) (<= 0.0 y 1.0)) (pair x y))))
(assert (forall ((x Real) (y Real)) (=> (pair x y) (pair (/ (+ x y) 2.0) (/ (+ x y) 2.0)))))
(assert (forall ((x Real) (y Real)) (=> (and (pair x y) (or (< x 0.0) (> y 1.0))) false)))
(check-sat)
