; An inner loop that restores what it takes: the outer invariant survives it.
; verdict: sat
(set-logic HORN)
(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 0) (outer 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (outer i n) (< i n)) (inner i 0 n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (< j i)) (inner i (+ j 1) n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (>= j i)) (outer (+ j 1) n))))
(assert (forall ((i Int) (n Int)) (=> (and (outer i n) (> i n)) false)))
(check-sat)
