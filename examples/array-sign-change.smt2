; A procedure that gives back its array, once or called any number of times in a row, changes no sign. Blocking one index after the other never ends; that the arrays are equal is invariant.
; verdict: sat
(set-logic HORN)
(declare-fun procedure ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (= a b) (procedure a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
  (=> (and (procedure a b) (procedure b c)) (procedure a c))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
  (=> (and (procedure a b) (>= (select a i) 0) (< (select b i) 0)) false)))
(check-sat)
