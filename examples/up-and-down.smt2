; Two loops, of which the second takes back what the first does; the fault is between them.
; depth 12, width 1, 1 relevant and 0 irrelevant variables, seed 1
; verdict: sat
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (up x y))))
(assert (forall ((x Int) (y Int)) (=> (and (up x y) (>= x 0) (< x 6)) (up (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (up x y) (= x 6)) (down 0 (+ y 0)))))
(assert (forall ((x Int) (y Int)) (=> (and (down x y) (>= x 0) (< x 6)) (down (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (down x y) (= x 6) (> y 0)) false)))
(check-sat)
