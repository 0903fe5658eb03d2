; Real: a tank is filled at rate 1 and drained at rate 2, a step lasting at most half a second; it stays within 0 and 10.
; verdict: sat
(set-logic HORN)
(declare-fun tank (Bool Real) Bool)
(assert (tank true 5.0))
(assert (forall ((f Bool) (x Real) (d Real)) (=> (and (tank true x) (<= 0.0 d 0.5) (<= x 9.0)) (tank true (+ x d)))))
(assert (forall ((x Real)) (=> (and (tank true x) (> x 9.0)) (tank false x))))
(assert (forall ((x Real) (d Real)) (=> (and (tank false x) (<= 0.0 d 0.5) (>= x 1.0)) (tank false (- x (* 2.0 d))))))
(assert (forall ((x Real)) (=> (and (tank false x) (< x 1.0)) (tank true x))))
(assert (forall ((f Bool) (x Real)) (=> (and (tank f x) (or (< x 0.0) (> x 10.0))) false)))
(check-sat)
