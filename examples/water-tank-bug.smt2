; Real: with steps of up to two seconds the tank runs over.
; verdict: unsat
(set-logic HORN)
(declare-fun tank (Bool Real) Bool)
(assert (tank true 5.0))
(assert (forall ((x Real) (d Real)) (=> (and (tank true x) (<= 0.0 d 2.0) (<= x 9.0)) (tank true (+ x d)))))
(assert (forall ((x Real)) (=> (and (tank true x) (> x 10.5)) false)))
(check-sat)
