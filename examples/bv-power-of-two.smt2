; Shifting 1 to the left gives powers of two, which have at most one bit: x & (x-1) is 0.
; verdict: sat
(set-logic HORN)
(declare-fun power ((_ BitVec 16) Int) Bool)
(assert (power #x0001 0))
(assert (forall ((x (_ BitVec 16)) (n Int)) (=> (power x n) (power (bvshl x #x0001) (+ n 1)))))
(assert (forall ((x (_ BitVec 16)) (n Int)) (=> (and (power x n) (distinct (bvand x (bvsub x #x0001)) #x0000)) false)))
(check-sat)
