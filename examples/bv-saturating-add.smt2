; Saturating addition of unsigned bytes never makes a total smaller.
; verdict: sat
(set-logic HORN)
(declare-fun sum ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun total ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (sum x y (ite (bvult (bvadd x y) x) #xff (bvadd x y)))))
(assert (total #x10))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (total x) (sum x y z)) (total z))))
(assert (forall ((z (_ BitVec 8))) (=> (and (total z) (bvult z #x10)) false)))
(check-sat)
