; Reversing a list is said to keep its first element.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun reverse (List List List) Bool)
(assert (forall ((l List)) (reverse nil l l)))
(assert (forall ((x Int) (k List) (l List) (m List)) (=> (reverse k (cons x l) m) (reverse (cons x k) l m))))
(assert (forall ((k List) (m List)) (=> (and (reverse k nil m) ((_ is cons) k) ((_ is cons) m) (not (= (head k) (head m)))) false)))
(check-sat)
