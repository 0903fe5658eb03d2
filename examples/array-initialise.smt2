; A loop sets a[0] to a[n-1] to zero; afterwards each of them is zero.
; verdict: sat
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (loop a i n) (< i n)) (loop (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (loop a i n) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))
(check-sat)
