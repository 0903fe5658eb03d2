; Two elements are swapped without keeping the first: its value is lost.
; verdict: unsat
(set-logic HORN)
(declare-fun swapped ((Array Int Int) Int Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (swapped a i j (store (store a i (select a j)) j (select (store a i (select a j)) i)))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (b (Array Int Int)))
  (=> (and (swapped a i j b) (or (not (= (select b i) (select a j))) (not (= (select b j) (select a i))))) false)))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (k Int) (b (Array Int Int)))
  (=> (and (swapped a i j b) (distinct i j k) (not (= (select b k) (select a k)))) false)))
(check-sat)
