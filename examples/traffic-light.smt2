; Bool only: three lamps, of which exactly one is on.
; verdict: sat
(set-logic HORN)
(declare-fun light (Bool Bool Bool) Bool)
(assert (light true false false))
(assert (=> (light true false false) (light false true false)))
(assert (=> (light false true false) (light false false true)))
(assert (=> (light false false true) (light true false false)))
(assert (forall ((r Bool) (y Bool) (g Bool)) (=> (and (light r y g) (not (xor r y g))) false)))
(assert (=> (light true true true) false))
(check-sat)
