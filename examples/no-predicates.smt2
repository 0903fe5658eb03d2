; A clause without any predicate that is not valid.
; verdict: unsat
(set-logic HORN)
(assert (forall ((x Int)) (=> (> x 3) (> x 4))))
(check-sat)
