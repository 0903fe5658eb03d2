; Deposits and covered withdrawals: the balance never falls below zero.
; verdict: sat
(set-logic HORN)
(declare-fun account (Int Int) Bool)
(assert (account 0 0))
(assert (forall ((b Int) (k Int) (d Int)) (=> (and (account b k) (> d 0)) (account (+ b d) (+ k 1)))))
(assert (forall ((b Int) (k Int) (d Int)) (=> (and (account b k) (<= 0 d b)) (account (- b d) (+ k 1)))))
(assert (forall ((b Int) (k Int)) (=> (and (account b k) (or (< b 0) (< k 0))) false)))
(check-sat)
