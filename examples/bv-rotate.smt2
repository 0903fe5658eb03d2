; A byte that is rotated by one place a multiple of eight times is as it was.
; verdict: sat
(set-logic HORN)
(declare-fun rotated ((_ BitVec 8) (_ BitVec 8) (_ BitVec 3)) Bool)
(assert (forall ((x (_ BitVec 8))) (rotated x x #b000)))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (n (_ BitVec 3)))
  (=> (rotated x y n) (rotated x ((_ rotate_left 1) y) (bvadd n #b001)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (rotated x y #b000) (distinct x y)) false)))
(check-sat)
