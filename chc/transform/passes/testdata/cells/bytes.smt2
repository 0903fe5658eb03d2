; an array that is indexed by bytes is cleared from 0 upwards
(set-logic HORN)
(declare-fun loop ((Array (_ BitVec 4) Bool) (_ BitVec 4)) Bool)
(assert (forall ((a (Array (_ BitVec 4) Bool))) (loop a #x0)))
(assert (forall ((a (Array (_ BitVec 4) Bool)) (i (_ BitVec 4)))
  (=> (and (loop a i) (bvult i #x9)) (loop (store a i false) (bvadd i #x1)))))
(assert (forall ((a (Array (_ BitVec 4) Bool)) (i (_ BitVec 4)) (j (_ BitVec 4)))
  (=> (and (loop a i) (= i #x9) (bvult j #x9) (select a j)) false)))
(check-sat)
