; A ring buffer takes -1, too.
; verdict: unsat
(set-logic HORN)
(declare-fun ring ((Array (_ BitVec 4) Int) (_ BitVec 4)) Bool)
(assert (ring ((as const (Array (_ BitVec 4) Int)) 0) #x0))
(assert (forall ((m (Array (_ BitVec 4) Int)) (p (_ BitVec 4)) (v Int))
  (=> (and (ring m p) (>= v (- 1))) (ring (store m p v) (bvadd p #x1)))))
(assert (forall ((m (Array (_ BitVec 4) Int)) (p (_ BitVec 4)))
  (=> (and (ring m p) (< (select m (bvsub p #x1)) 0)) false)))
(check-sat)
