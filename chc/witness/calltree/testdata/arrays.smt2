; The copy is shifted by one place.
; verdict: unsat
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< i n)) (loop a (store b (+ i 1) (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (loop a b i n) (>= i n) (<= 0 k) (< k n) (not (= (select b k) (select a k)))) false)))
(check-sat)
