; A stack as a list with a counter: only a stack that is not empty is popped, so the counter is never negative.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun stack (List Int) Bool)
(assert (stack nil 0))
(assert (forall ((s List) (n Int) (x Int)) (=> (stack s n) (stack (cons x s) (+ n 1)))))
(assert (forall ((s List) (n Int)) (=> (and (stack s n) ((_ is cons) s)) (stack (tail s) (- n 1)))))
(assert (forall ((s List) (n Int)) (=> (and (stack s n) (< n 0)) false)))
(check-sat)
