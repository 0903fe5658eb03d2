; A loop within a loop within a loop, as procedures; the fault is one step too many after the last round.
; depth 4, width 1, 1 relevant and 0 irrelevant variables, seed 1
; verdict: unsat
(set-logic HORN)
(declare-fun outer (Int Int Int Int) Bool)
(declare-fun middle (Int Int Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)
(assert (forall ((i Int) (w Int) (s Int) (t Int) (r Int)) (=> (and (< i 4) (middle w w s t) (outer (+ i 1) w t r)) (outer i w s r))))
(assert (forall ((i Int) (w Int) (s Int)) (=> (>= i 4) (outer i w s (+ s 1)))))
(assert (forall ((j Int) (w Int) (s Int) (t Int) (r Int)) (=> (and (> j 0) (inner w s t) (middle (- j 1) w t r)) (middle j w s r))))
(assert (forall ((j Int) (w Int) (s Int)) (=> (<= j 0) (middle j w s s))))
(assert (forall ((k Int) (s Int) (r Int)) (=> (and (> k 0) (inner (- k 1) (+ s 1) r)) (inner k s r))))
(assert (forall ((k Int) (s Int)) (=> (<= k 0) (inner k s s))))
(assert (forall ((w Int) (r Int)) (=> (and (= w 1) (outer 0 w 0 r) (> r 4)) false)))
(check-sat)
