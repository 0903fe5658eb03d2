; Some list has length 3.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (length l n) (length (cons x l) (+ n 1)))))
(assert (forall ((l List)) (=> (length l 3) false)))
(check-sat)
