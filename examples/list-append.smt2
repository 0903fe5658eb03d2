; The lengths of two lists add up when one is appended to the other.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (length l n) (length (cons x l) (+ n 1)))))
(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((x Int) (k List) (l List) (m List)) (=> (append k l m) (append (cons x k) l (cons x m)))))
(assert (forall ((k List) (l List) (m List) (a Int) (b Int) (c Int))
  (=> (and (append k l m) (length k a) (length l b) (length m c) (not (= c (+ a b)))) false)))
(check-sat)
