; rows of zeros are put into a matrix: every element of the first n rows is 0
(set-logic HORN)
(declare-fun loop ((Array Int (Array Int Int)) Int Int) Bool)
(assert (forall ((a (Array Int (Array Int Int))) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i ((as const (Array Int Int)) 0)) (+ i 1) n))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (n Int) (j Int) (k Int))
  (=> (and (loop a i n) (>= i n) (<= 0 j) (< j n) (not (= (select (select a j) k) 0))) false)))
(check-sat)
