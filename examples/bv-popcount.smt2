; Clearing the lowest bit until none is left counts the bits that are set: there are four in 01100101.
; verdict: sat
(set-logic HORN)
(declare-fun count ((_ BitVec 8) (_ BitVec 8) (_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 8))) (count x x #x0)))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (n (_ BitVec 4)))
  (=> (and (count x y n) (distinct y #x00)) (count x (bvand y (bvsub y #x01)) (bvadd n #x1)))))
(assert (forall ((x (_ BitVec 8)) (n (_ BitVec 4))) (=> (and (count x #x00 n) (= x #b01100101) (distinct n #x4)) false)))
(check-sat)
