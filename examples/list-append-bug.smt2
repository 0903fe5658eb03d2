; Appending is said to keep the length of the second list.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (length l n) (length (cons x l) (+ n 1)))))
(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((x Int) (k List) (l List) (m List)) (=> (append k l m) (append (cons x k) l (cons x m)))))
(assert (forall ((k List) (l List) (m List) (b Int) (c Int))
  (=> (and (append k l m) (length l b) (length m c) (> c b)) false)))
(check-sat)
