; Cells of a matrix, an array of arrays, are increased one at a time: none falls below its first value.
; verdict: sat
(set-logic HORN)
(declare-fun matrix ((Array Int (Array Int Int)) Int) Bool)
(assert (matrix ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 1)) 0))
(assert (forall ((m (Array Int (Array Int Int))) (k Int) (i Int) (j Int))
  (=> (matrix m k) (matrix (store m i (store (select m i) j (+ (select (select m i) j) 1))) (+ k 1)))))
(assert (forall ((m (Array Int (Array Int Int))) (k Int) (i Int) (j Int))
  (=> (and (matrix m k) (< (select (select m i) j) 1)) false)))
(check-sat)
