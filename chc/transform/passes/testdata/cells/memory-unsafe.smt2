; as memory.smt2, but the last element is not copied
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< (+ i 1) n)) (loop a (store b (+ 2002 (* 4 i)) (select a (+ 1000 (* 4 i)))) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (j Int))
  (=> (and (loop a b i n) (>= (+ i 1) n) (<= 0 j) (< j n) (not (= (select a (+ 1000 (* 4 j))) (select b (+ 2002 (* 4 j)))))) false)))
(check-sat)
