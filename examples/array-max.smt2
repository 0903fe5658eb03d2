; The largest of a[0] to a[n-1] is found by a loop: none is above it.
; verdict: sat
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (loop a 1 n (select a 0)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (m Int))
  (=> (and (loop a i n m) (< i n)) (loop a (+ i 1) n (ite (> (select a i) m) (select a i) m)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (m Int) (k Int))
  (=> (and (loop a i n m) (>= i n) (<= 0 k) (< k n) (< m (select a k))) false)))
(check-sat)
