; Binary search over 16-bit positions: the middle is computed without overflow, and the bounds never cross.
; verdict: sat
(set-logic HORN)
(declare-fun search ((_ BitVec 16) (_ BitVec 16)) Bool)
(assert (search #x0000 #xffff))
(assert (forall ((l (_ BitVec 16)) (h (_ BitVec 16)) (m (_ BitVec 16)))
  (=> (and (search l h) (bvult l h) (= m (bvadd l (bvudiv (bvsub h l) #x0002)))) (search l m))))
(assert (forall ((l (_ BitVec 16)) (h (_ BitVec 16)) (m (_ BitVec 16)))
  (=> (and (search l h) (bvult l h) (= m (bvadd l (bvudiv (bvsub h l) #x0002)))) (search (bvadd m #x0001) h))))
(assert (forall ((l (_ BitVec 16)) (h (_ BitVec 16))) (=> (and (search l h) (bvugt l h)) false)))
(check-sat)
