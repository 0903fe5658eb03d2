; A transfer between two places of the heap keeps their sum, also when both are the same place.
; verdict: sat
(set-logic HORN)
(declare-fun transfer ((Array Int Int) Int Int (Array Int Int)) Bool)
(assert (forall ((h (Array Int Int)) (from Int) (to Int) (d Int))
  (=> (<= d (select h from))
      (transfer h from to (store (store h from (- (select h from) d)) to (+ (select (store h from (- (select h from) d)) to) d))))))
(assert (forall ((h (Array Int Int)) (from Int) (to Int) (g (Array Int Int)))
  (=> (and (transfer h from to g) (not (= (+ (select g from) (select g to)) (+ (select h from) (select h to))))) false)))
(check-sat)
