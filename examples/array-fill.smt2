; An array of sevens is overwritten with numbers from 0 on, one place after the other; none of its elements is negative.
; verdict: sat
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int) Bool)
(assert (loop ((as const (Array Int Int)) 7) 0))
(assert (forall ((a (Array Int Int)) (i Int) (v Int)) (=> (and (loop a i) (>= v 0)) (loop (store a i v) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (k Int)) (=> (and (loop a i) (< (select a k) 0)) false)))
(check-sat)
