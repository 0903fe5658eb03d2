; A linear search that reaches the end has missed nothing: the value is nowhere in the array.
; verdict: sat
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (x Int) (n Int)) (loop a x 0 n)))
(assert (forall ((a (Array Int Int)) (x Int) (i Int) (n Int))
  (=> (and (loop a x i n) (< i n) (not (= (select a i) x))) (loop a x (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (x Int) (i Int) (n Int) (k Int))
  (=> (and (loop a x i n) (>= i n) (<= 0 k) (< k n) (= (select a k) x)) false)))
(check-sat)
