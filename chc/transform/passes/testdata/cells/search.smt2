; i = 0; while (i < n && a[i] != x) i++;  when it ends at n, x is nowhere below n
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int) (x Int)) (loop a 0 n x)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (x Int))
  (=> (and (loop a i n x) (< i n) (not (= (select a i) x))) (loop a (+ i 1) n x))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (x Int) (j Int))
  (=> (and (loop a i n x) (>= i n) (<= 0 j) (< j n) (= (select a j) x)) false)))
(check-sat)
