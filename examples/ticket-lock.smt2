; A ticket lock: the two customers in service would need the same ticket.
; verdict: sat
(set-logic HORN)
(declare-fun state (Int Int Int Int Int Int) Bool)
(assert (forall ((n Int)) (state 0 0 0 0 n n)))
(assert (forall ((q Int) (a Int) (b Int) (n Int) (s Int)) (=> (state 0 q a b n s) (state 1 q n b (+ n 1) s))))
(assert (forall ((q Int) (a Int) (b Int) (n Int) (s Int)) (=> (and (state 1 q a b n s) (= a s)) (state 2 q a b n s))))
(assert (forall ((q Int) (a Int) (b Int) (n Int) (s Int)) (=> (state 2 q a b n s) (state 0 q a b n (+ s 1)))))
(assert (forall ((p Int) (a Int) (b Int) (n Int) (s Int)) (=> (state p 0 a b n s) (state p 1 a n (+ n 1) s))))
(assert (forall ((p Int) (a Int) (b Int) (n Int) (s Int)) (=> (and (state p 1 a b n s) (= b s)) (state p 2 a b n s))))
(assert (forall ((p Int) (a Int) (b Int) (n Int) (s Int)) (=> (state p 2 a b n s) (state p 0 a b n (+ s 1)))))
(assert (forall ((a Int) (b Int) (n Int) (s Int)) (=> (state 2 2 a b n s) false)))
(check-sat)
