; A loop that waits for something in every round, and counts the rounds; the fault is where it starts to count.
; depth 6, width 1, 1 relevant and 0 irrelevant variables, seed 1
; verdict: sat
(set-logic HORN)
(declare-fun round (Int Int Int) Bool)
(declare-fun wait (Int Int) Bool)
(declare-fun spin (Int Int) Bool)
(assert (forall ((i Int) (n Int) (t Int) (u Int) (r Int)) (=> (and (< i 6) (wait t u) (round (+ i 1) (+ n 1) r)) (round i n r))))
(assert (forall ((i Int) (n Int)) (=> (>= i 6) (round i n n))))
(assert (forall ((t Int) (u Int) (p Int) (q Int)) (=> (and (> t 0) (spin p q) (wait (- t 2) u)) (wait t u))))
(assert (forall ((t Int)) (=> (<= t 0) (wait t t))))
(assert (forall ((p Int) (q Int)) (=> (and (> p 0) (spin (- p 2) q)) (spin p q))))
(assert (forall ((p Int)) (=> (<= p 0) (spin p p))))
(assert (forall ((r Int)) (=> (and (round 0 0 r) (> r 6)) false)))
(check-sat)
