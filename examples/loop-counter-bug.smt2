; The same loop in steps of 3: it leaves at 12, not at 10.
; verdict: unsat
(set-logic HORN)
(declare-fun loop (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (loop x))))
(assert (forall ((x Int)) (=> (and (loop x) (< x 10)) (loop (+ x 3)))))
(assert (forall ((x Int)) (=> (and (loop x) (>= x 10) (not (= x 10))) false)))
(check-sat)
