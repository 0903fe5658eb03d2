; a[i] = 2*i: no two elements are equal
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (loop a 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (loop a i) (loop (store a i (* 2 i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (j Int))
  (=> (and (loop a n) (<= 0 i) (< i j) (< j n) (= (select a i) (select a j))) false)))
(check-sat)
