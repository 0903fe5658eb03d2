; A parity argument: steps of 4 and 6 from 0 never reach an odd number.
; verdict: sat
(set-logic HORN)
(declare-fun reach (Int) Bool)
(assert (reach 0))
(assert (forall ((x Int)) (=> (reach x) (reach (+ x 4)))))
(assert (forall ((x Int)) (=> (reach x) (reach (- x 6)))))
(assert (forall ((x Int)) (=> (and (reach x) (= (mod x 2) 1)) false)))
(check-sat)
