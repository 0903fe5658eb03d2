; A loop copies a[0] to a[n-1] to b; afterwards they agree.
; verdict: sat
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< i n)) (loop a (store b i (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (loop a b i n) (>= i n) (<= 0 k) (< k n) (not (= (select b k) (select a k)))) false)))
(check-sat)
