; A stack whose counter is 0 is popped: the counter becomes negative.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun stack (List Int) Bool)
(assert (stack nil 0))
(assert (forall ((s List) (n Int) (x Int)) (=> (stack s n) (stack (cons x s) (+ n 1)))))
(assert (forall ((s List) (n Int)) (=> (and (stack s n) (>= n 0) ((_ is nil) s)) (stack nil (- n 1)))))
(assert (forall ((s List) (n Int)) (=> (and (stack s n) (< n 0)) false)))
(check-sat)
