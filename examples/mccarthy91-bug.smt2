; The 91 function with a wrong claim: mc(102) is 92.
; verdict: unsat
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) m) (mc m r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 102) (not (= r 91))) false)))
(check-sat)
