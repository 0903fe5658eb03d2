; After k steps, a cell of the matrix has not more than k.
; verdict: unsat
(set-logic HORN)
(declare-fun matrix ((Array Int (Array Int Int)) Int) Bool)
(assert (matrix ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 1)) 0))
(assert (forall ((m (Array Int (Array Int Int))) (k Int) (i Int) (j Int))
  (=> (matrix m k) (matrix (store m i (store (select m i) j (+ (select (select m j) j) 1))) (+ k 1)))))
(assert (forall ((m (Array Int (Array Int Int))) (k Int) (i Int) (j Int))
  (=> (and (matrix m k) (> (select (select m i) j) k)) false)))
(check-sat)
