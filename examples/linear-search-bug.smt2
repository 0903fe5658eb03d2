; A linear search compares once more behind the end, and may return the index n.
; verdict: unsat
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(declare-fun found ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (x Int) (n Int)) (=> (>= n 0) (loop a x 0 n))))
(assert (forall ((a (Array Int Int)) (x Int) (i Int) (n Int))
  (=> (and (loop a x i n) (< i n) (not (= (select a i) x))) (loop a x (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (x Int) (i Int) (n Int)) (=> (and (loop a x i n) (<= i n) (= (select a i) x)) (found a x i))))
(assert (forall ((a (Array Int Int)) (x Int) (i Int)) (=> (and (found a x i) (not (and (<= 0 i) (= (select a i) x)))) false)))
(assert (forall ((a (Array Int Int)) (x Int) (i Int) (n Int)) (=> (and (loop a x i n) (found a x i) (>= i n)) false)))
(check-sat)
