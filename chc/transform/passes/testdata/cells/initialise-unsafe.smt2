; for (i = 0; i < n; i++) a[i] = 7;  element n, too, is said to be 7
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (>= n 0) (loop a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (j Int))
  (=> (and (loop a i n) (>= i n) (> n 2) (<= 0 j) (<= j n) (not (= (select a j) 7))) false)))
(check-sat)
