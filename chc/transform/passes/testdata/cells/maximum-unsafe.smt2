; m = a[0]; for (i = 1; i < n; i++) if (a[i] > m) m = a[i];  every element below n is said to be below m
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (loop a 1 n (select a 0)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (m Int))
  (=> (and (loop a i n m) (< i n)) (loop a (+ i 1) n (ite (> (select a i) m) (select a i) m)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (m Int) (j Int))
  (=> (and (loop a i n m) (>= i n) (<= 0 j) (< j n) (> n 1) (>= (select a j) m)) false)))
(check-sat)
