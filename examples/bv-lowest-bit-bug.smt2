; x & ~x is taken for the lowest bit of x that is set.
; verdict: unsat
(set-logic HORN)
(declare-fun lowest ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (lowest x (bvand x (bvnot x)))))
(assert (forall ((x (_ BitVec 8)) (b (_ BitVec 8)))
  (=> (and (lowest x b) (distinct x #x00) (or (= b #x00) (distinct (bvand b (bvsub b #x01)) #x00) (distinct (bvand x b) b))) false)))
(check-sat)
