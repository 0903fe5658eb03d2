; Reversing a list onto the empty list keeps its length.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (length l n) (length (cons x l) (+ n 1)))))
(declare-fun reverse (List List List) Bool)
(assert (forall ((l List)) (reverse nil l l)))
(assert (forall ((x Int) (k List) (l List) (m List)) (=> (reverse k (cons x l) m) (reverse (cons x k) l m))))
(assert (forall ((k List) (m List) (a Int) (b Int)) (=> (and (reverse k nil m) (length k a) (length m b) (not (= a b))) false)))
(check-sat)
