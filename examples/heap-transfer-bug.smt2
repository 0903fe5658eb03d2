; A transfer reads the second place before it writes the first: on one place, money appears.
; verdict: unsat
(set-logic HORN)
(declare-fun transfer ((Array Int Int) Int Int (Array Int Int)) Bool)
(assert (forall ((h (Array Int Int)) (from Int) (to Int) (d Int))
  (=> (<= d (select h from))
      (transfer h from to (store (store h from (- (select h from) d)) to (+ (select h to) d))))))
(assert (forall ((h (Array Int Int)) (from Int) (to Int) (g (Array Int Int)))
  (=> (and (transfer h from to g) (not (= (+ (select g from) (select g to)) (+ (select h from) (select h to))))) false)))
(check-sat)
