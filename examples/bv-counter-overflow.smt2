; A counter of four bits is counted up for ever, and becomes 0 again.
; verdict: unsat
(set-logic HORN)
(declare-fun counter ((_ BitVec 4) Bool) Bool)
(assert (counter #x0 false))
(assert (forall ((x (_ BitVec 4)) (b Bool)) (=> (counter x b) (counter (bvadd x #x1) true))))
(assert (=> (counter #x0 true) false))
(check-sat)
