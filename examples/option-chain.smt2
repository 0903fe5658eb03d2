; A value is doubled five times, and then there is none any more.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((Option 0)) (((none) (some (value Int)))))
(declare-fun steps (Option Int) Bool)
(assert (steps (some 1) 0))
(assert (forall ((o Option) (n Int)) (=> (and (steps o n) ((_ is some) o)) (steps (ite (< n 5) (some (* 2 (value o))) none) (+ n 1)))))
(assert (forall ((o Option) (n Int)) (=> (and (steps o n) ((_ is some) o) (or (< (value o) 1) (> n 5))) false)))
(check-sat)
