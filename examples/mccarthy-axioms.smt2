; McCarthy's axioms of arrays as clauses over a predicate for writing and one for reading.
; verdict: sat
(set-logic HORN)
(declare-fun write ((Array Int Int) Int Int (Array Int Int)) Bool)
(declare-fun read ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (v Int)) (write a i v (store a i v))))
(assert (forall ((a (Array Int Int)) (i Int)) (read a i (select a i))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (v Int) (w Int))
  (=> (and (write a i v b) (read b i w) (not (= v w))) false)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (j Int) (v Int) (u Int) (w Int))
  (=> (and (write a i v b) (not (= i j)) (read a j u) (read b j w) (not (= u w))) false)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (v Int))
  (=> (and (read a i v) (write a i v b) (not (= a b))) false)))
(check-sat)
