; The absolute value of an integer of 32 bits is not negative, but for the least integer, which is left out.
; verdict: sat
(set-logic HORN)
(declare-fun absolute ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((x (_ BitVec 32))) (=> (distinct x #x80000000) (absolute x (ite (bvslt x #x00000000) (bvneg x) x)))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (absolute x y) (bvslt y #x00000000)) false)))
(check-sat)
