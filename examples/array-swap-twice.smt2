; Swapping the same two elements an even number of times gives back the array.
; verdict: sat
(set-logic HORN)
(declare-fun steps ((Array Int Int) Int Int (Array Int Int) Bool) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (steps a i j a false)))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (b (Array Int Int)) (odd Bool))
  (=> (steps a i j b odd) (steps a i j (store (store b i (select b j)) j (select b i)) (not odd)))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (b (Array Int Int)))
  (=> (and (steps a i j b false) (not (= a b))) false)))
(check-sat)
