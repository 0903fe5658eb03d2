; The absolute value of the least integer of 32 bits is negative: it is that integer itself.
; verdict: unsat
(set-logic HORN)
(declare-fun absolute ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((x (_ BitVec 32))) (absolute x (ite (bvslt x #x00000000) (bvneg x) x))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (absolute x y) (bvslt y #x00000000)) false)))
(check-sat)
