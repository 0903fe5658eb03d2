; Addition of bytes wraps around and makes the total smaller.
; verdict: unsat
(set-logic HORN)
(declare-fun sum ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun total ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (sum x y (bvadd x y))))
(assert (total #x10))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (total x) (sum x y z)) (total z))))
(assert (forall ((z (_ BitVec 8))) (=> (and (total z) (bvult z #x10)) false)))
(check-sat)
