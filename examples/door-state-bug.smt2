; The door is locked without a look at who is inside.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((Door 0)) (((open) (closed) (locked))))
(declare-datatypes ((State 0)) (((state (door Door) (people Int) (alarm Bool)))))
(declare-fun reach (State) Bool)
(assert (reach (state closed 0 false)))
(assert (forall ((s State)) (=> (and (reach s) (= (door s) closed)) (reach (state open (people s) (alarm s))))))
(assert (forall ((s State) (d Int)) (=> (and (reach s) (= (door s) open) (>= (+ (people s) d) 0)) (reach (state open (+ (people s) d) (alarm s))))))
(assert (forall ((s State)) (=> (and (reach s) (= (door s) open)) (reach (state closed (people s) (alarm s))))))
(assert (forall ((s State)) (=> (and (reach s) (= (door s) closed) true) (reach (state locked (people s) true)))))
(assert (forall ((s State)) (=> (and (reach s) (= (door s) locked)) (reach (state closed (people s) false)))))
(assert (forall ((s State)) (=> (and (reach s) (= (door s) locked) (or (not (alarm s)) (> (people s) 0))) false)))
(check-sat)
