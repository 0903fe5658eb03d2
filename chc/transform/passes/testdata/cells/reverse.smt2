; for (i = 0; i < n; i++) b[n-1-i] = a[i];  then b is a backwards
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< i n)) (loop a (store b (- n 1 i) (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (j Int))
  (=> (and (loop a b i n) (>= i n) (<= 0 j) (< j n) (not (= (select a j) (select b (- n 1 j))))) false)))
(check-sat)
