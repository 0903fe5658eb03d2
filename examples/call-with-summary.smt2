; A procedure called twice: its summary (the result is the argument plus one) proves the caller.
; verdict: sat
(set-logic HORN)
(declare-fun inc (Int Int) Bool)
(declare-fun main (Int Int) Bool)
(assert (forall ((x Int)) (inc x (+ x 1))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inc x y) (inc y z)) (main x z))))
(assert (forall ((x Int) (z Int)) (=> (and (main x z) (not (= z (+ x 2)))) false)))
(check-sat)
