; Peterson's algorithm: flags, turn and two program counters (0 idle, 1 waiting, 2 critical); never both critical.
; verdict: sat
(set-logic HORN)
(declare-fun state (Int Int Bool Bool Bool) Bool)
(assert (forall ((t Bool)) (state 0 0 false false t)))
(assert (forall ((q Int) (a Bool) (b Bool) (t Bool)) (=> (state 0 q a b t) (state 1 q true b true))))
(assert (forall ((q Int) (a Bool) (b Bool) (t Bool)) (=> (and (state 1 q a b t) (or (not b) (not t))) (state 2 q a b t))))
(assert (forall ((q Int) (a Bool) (b Bool) (t Bool)) (=> (state 2 q a b t) (state 0 q false b t))))
(assert (forall ((p Int) (a Bool) (b Bool) (t Bool)) (=> (state p 0 a b t) (state p 1 a true false))))
(assert (forall ((p Int) (a Bool) (b Bool) (t Bool)) (=> (and (state p 1 a b t) (or (not a) t)) (state p 2 a b t))))
(assert (forall ((p Int) (a Bool) (b Bool) (t Bool)) (=> (state p 2 a b t) (state p 0 a false t))))
(assert (forall ((a Bool) (b Bool) (t Bool)) (=> (state 2 2 a b t) false)))
(check-sat)
