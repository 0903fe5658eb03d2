; A loop that counts two variables up together; the fault is where the second one starts.
; depth 12, width 1, 1 relevant and 0 irrelevant variables, seed 1
; verdict: unsat
(set-logic HORN)
(declare-fun head (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 1)) (head x y))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 0) (< x 12)) (head (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (= x 12) (> y x)) false)))
(check-sat)
