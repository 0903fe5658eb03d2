; A lock that is tested and set in two steps lets both processes in.
; verdict: unsat
(set-logic HORN)
(declare-fun state (Int Int Bool) Bool)
(assert (state 0 0 false))
(assert (forall ((q Int)) (=> (state 0 q false) (state 1 q false))))
(assert (forall ((q Int) (l Bool)) (=> (state 1 q l) (state 2 q true))))
(assert (forall ((p Int)) (=> (state p 0 false) (state p 1 false))))
(assert (forall ((p Int) (l Bool)) (=> (state p 1 l) (state p 2 true))))
(assert (=> (state 2 2 true) false))
(check-sat)
