; An elevator: the door must be shut while it moves (it fails), the floor stays within 0 to 9 (it holds), and the number of
; rides, which the controller counts without end, stays below thirty (it fails, thirty rides deep).
; verdict: unsat
(set-logic HORN)
(declare-fun lift (Int Bool Bool Int) Bool)
(assert (lift 0 true false 0))
(assert (forall ((floor Int) (open Bool) (moving Bool) (rides Int))
  (=> (and (lift floor open moving rides) (not moving)) (lift floor (not open) moving rides))))
(assert (forall ((floor Int) (open Bool) (moving Bool) (rides Int) (up Bool))
  (=> (and (lift floor open moving rides) (not moving) (ite up (< floor 9) (> floor 0)))
      (lift (ite up (+ floor 1) (- floor 1)) open true (+ rides 1)))))
(assert (forall ((floor Int) (open Bool) (moving Bool) (rides Int))
  (=> (and (lift floor open moving rides) moving) (lift floor open false rides))))
(assert (forall ((floor Int) (open Bool) (moving Bool) (rides Int)) (=> (and (lift floor open moving rides) moving open) false)))
(assert (forall ((floor Int) (open Bool) (moving Bool) (rides Int)) (=> (lift floor open moving rides) (<= 0 floor 9))))
(assert (forall ((floor Int) (open Bool) (moving Bool) (rides Int)) (=> (lift floor open moving rides) (< rides 30))))
(check-sat)
