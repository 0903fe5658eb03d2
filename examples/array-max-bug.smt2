; The search for the largest element starts with 0 and looks from a[1] on: a[0] may be above it.
; verdict: unsat
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (loop a 1 n 0))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (m Int))
  (=> (and (loop a i n m) (< i n)) (loop a (+ i 1) n (ite (> (select a i) m) (select a i) m)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (m Int) (k Int))
  (=> (and (loop a i n m) (>= i n) (<= 0 k) (< k n) (< m (select a k))) false)))
(check-sat)
