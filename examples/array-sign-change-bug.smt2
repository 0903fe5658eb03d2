; A procedure that negates one element of its array changes a sign.
; verdict: unsat
(set-logic HORN)
(declare-fun procedure ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (j Int)) (=> (= b (store a j (- (select a j)))) (procedure a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
  (=> (and (procedure a b) (procedure b c)) (procedure a c))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
  (=> (and (procedure a b) (>= (select a i) 0) (< (select b i) 0)) false)))
(check-sat)
