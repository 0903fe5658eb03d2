; McCarthy's 91 function: whenever mc(n) returns r, r is 91 or n > 101.
; verdict: sat
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) m) (mc m r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 91))) false)))
(check-sat)
