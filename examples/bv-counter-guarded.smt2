; A counter of 32 bits is counted up by three while it is below 1000: it never wraps around.
; verdict: sat
(set-logic HORN)
(declare-fun counter ((_ BitVec 32)) Bool)
(assert (counter #x00000000))
(assert (forall ((x (_ BitVec 32))) (=> (and (counter x) (bvult x #x000003e8)) (counter (bvadd x #x00000003)))))
(assert (forall ((x (_ BitVec 32))) (=> (and (counter x) (bvugt x #x000003ea)) false)))
(check-sat)
