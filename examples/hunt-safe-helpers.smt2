; Two helpers call each other's helper; no run of either breaks what the three queries ask.
; verdict: sat
(set-logic HORN)
(declare-fun clamp (Int Int) Bool)
(declare-fun scale (Int Int) Bool)
(declare-fun sensor (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (= y (ite (< x 0) 0 (ite (> x 100) 100 x))) (clamp x y))))
(assert (forall ((x Int) (y Int)) (=> (clamp x y) (scale x (* 3 y)))))
(assert (forall ((raw Int) (low Int) (high Int)) (=> (and (clamp raw low) (scale raw high)) (sensor raw low high))))
(assert (forall ((raw Int) (low Int) (high Int)) (=> (sensor raw low high) (<= low high))))
(assert (forall ((raw Int) (low Int) (high Int)) (=> (and (sensor raw low high) (<= 0 raw)) (<= low raw))))
(assert (forall ((raw Int) (low Int) (high Int)) (=> (sensor raw low high) (not (= high 301)))))
(check-sat)
