; The middle of a binary search is computed by a sum that overflows: the bounds cross.
; verdict: unsat
(set-logic HORN)
(declare-fun search ((_ BitVec 16) (_ BitVec 16)) Bool)
(assert (search #x0000 #xffff))
(assert (forall ((l (_ BitVec 16)) (h (_ BitVec 16)) (m (_ BitVec 16)))
  (=> (and (search l h) (bvult l h) (= m (bvudiv (bvadd l h) #x0002))) (search l m))))
(assert (forall ((l (_ BitVec 16)) (h (_ BitVec 16)) (m (_ BitVec 16)))
  (=> (and (search l h) (bvult l h) (= m (bvudiv (bvadd l h) #x0002))) (search (bvadd m #x0001) h))))
(assert (forall ((l (_ BitVec 16)) (h (_ BitVec 16))) (=> (and (search l h) (bvugt l h)) false)))
(check-sat)
