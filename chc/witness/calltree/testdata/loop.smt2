; The bug needs sixty turns of the loop.
; verdict: unsat
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 60)) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= s 120)) false)))
(check-sat)
