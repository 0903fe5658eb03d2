; A loop that counts from 0 to 10; at its exit the counter is exactly 10.
; verdict: sat
(set-logic HORN)
(declare-fun loop (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (loop x))))
(assert (forall ((x Int)) (=> (and (loop x) (< x 10)) (loop (+ x 1)))))
(assert (forall ((x Int)) (=> (and (loop x) (>= x 10) (not (= x 10))) false)))
(check-sat)
