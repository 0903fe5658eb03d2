; two arrays start equal and get the same writes, but for the one at 3
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (loop a a 0)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (v Int))
  (=> (loop a b i) (loop (store a i v) (store b i (ite (= i 3) 0 v)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (loop a b i) (not (= a b))) false)))
(check-sat)
