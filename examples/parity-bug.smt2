; Steps of 4 and 7 do reach an odd number.
; verdict: unsat
(set-logic HORN)
(declare-fun reach (Int) Bool)
(assert (reach 0))
(assert (forall ((x Int)) (=> (reach x) (reach (+ x 4)))))
(assert (forall ((x Int)) (=> (reach x) (reach (- x 7)))))
(assert (forall ((x Int)) (=> (and (reach x) (= (mod x 2) 1)) false)))
(check-sat)
