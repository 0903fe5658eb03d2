; Wallets belong to addresses, values of an uninterpreted sort: only the owner gets at the balance, which never falls below zero.
; verdict: sat
(set-logic HORN)
(declare-sort Address 0)
(declare-fun wallet (Address Int Address) Bool)
(assert (forall ((o Address)) (wallet o 0 o)))
(assert (forall ((o Address) (b Int) (l Address) (c Address) (v Int)) (=> (and (wallet o b l) (>= v 0)) (wallet o (+ b v) l))))
(assert (forall ((o Address) (b Int) (l Address) (c Address) (v Int))
  (=> (and (wallet o b l) (= c o) (<= 0 v b)) (wallet o (- b v) c))))
(assert (forall ((o Address) (b Int) (l Address)) (=> (and (wallet o b l) (or (< b 0) (distinct l o))) false)))
(check-sat)
