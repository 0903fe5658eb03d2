; A position of three bits is zero again after eight steps.
; verdict: unsat
(set-logic HORN)
(declare-fun ring ((Array (_ BitVec 3) Bool) (_ BitVec 3) Int) Bool)
(assert (ring ((as const (Array (_ BitVec 3) Bool)) false) #b000 0))
(assert (forall ((used (Array (_ BitVec 3) Bool)) (p (_ BitVec 3)) (n Int))
  (=> (ring used p n) (ring (store used p true) (bvadd p #b001) (+ n 1)))))
(assert (forall ((used (Array (_ BitVec 3) Bool)) (p (_ BitVec 3)) (n Int))
  (=> (and (ring used p n) (< n 9) (> n 0) (= p #b000)) false)))
(check-sat)
