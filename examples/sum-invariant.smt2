; Two counters that move together: x + y stays n, so y reaches n when x is down to 0.
; verdict: sat
(set-logic HORN)
(declare-fun inv (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (inv n 0 n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (inv x y n) (> x 0)) (inv (- x 1) (+ y 1) n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (inv x y n) (<= x 0) (not (= y n))) false)))
(check-sat)
