; Trees with leaves of weight 3 and 5 can weigh 11 together.
; verdict: unsat
(set-logic HORN)
(declare-fun weight (Int) Bool)
(assert (weight 3))
(assert (weight 5))
(assert (forall ((a Int) (b Int)) (=> (and (weight a) (weight b)) (weight (+ a b)))))
(assert (=> (weight 11) false))
(check-sat)
