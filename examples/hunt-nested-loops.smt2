; A buffer is filled in rounds: each calls a loop that writes up to four items. It has room for nine.
; verdict: unsat
(set-logic HORN)
(declare-fun fill (Int Int Int) Bool)
(declare-fun round (Int Int) Bool)
(assert (forall ((used Int)) (fill 0 used used)))
(assert (forall ((written Int) (before Int) (used Int))
  (=> (and (fill written before used) (< written 4)) (fill (+ written 1) before (+ used 1)))))
(assert (round 0 0))
(assert (forall ((n Int) (used Int) (written Int) (after Int))
  (=> (and (round n used) (fill written used after)) (round (+ n 1) after))))
(assert (forall ((n Int) (used Int)) (=> (round n used) (<= used 9))))
(assert (forall ((n Int) (used Int)) (=> (round n used) (<= 0 used))))
(check-sat)
