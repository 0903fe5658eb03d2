; Non-linear: the weight of a binary tree is the sum of two weights, each at least 1.
; verdict: sat
(set-logic HORN)
(declare-fun weight (Int) Bool)
(assert (weight 1))
(assert (forall ((a Int) (b Int)) (=> (and (weight a) (weight b)) (weight (+ a b)))))
(assert (forall ((a Int)) (=> (and (weight a) (<= a 0)) false)))
(check-sat)
