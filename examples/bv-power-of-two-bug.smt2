; Shifting 1 to the left sixteen times gives no power of two any more, but 0.
; verdict: unsat
(set-logic HORN)
(declare-fun power ((_ BitVec 16)) Bool)
(assert (power #x0001))
(assert (forall ((x (_ BitVec 16))) (=> (power x) (power (bvshl x #x0001)))))
(assert (=> (power #x0000) false))
(check-sat)
