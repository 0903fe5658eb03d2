; Mutual recursion with a slip: the odd numbers step by three now and then, so 4 is even and odd.
; verdict: unsat
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (odd n) (even (+ n 1)))))
(assert (forall ((n Int)) (=> (odd n) (odd (+ n 3)))))
(assert (forall ((n Int)) (=> (and (even n) (odd n) (> n 1)) false)))
(check-sat)
