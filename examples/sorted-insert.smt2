; Inserting into a sorted list makes it longer by one.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (length l n) (length (cons x l) (+ n 1)))))
(declare-fun insert (Int List List) Bool)
(assert (forall ((x Int)) (insert x nil (cons x nil))))
(assert (forall ((x Int) (y Int) (l List)) (=> (<= x y) (insert x (cons y l) (cons x (cons y l))))))
(assert (forall ((x Int) (y Int) (l List) (m List)) (=> (and (> x y) (insert x l m)) (insert x (cons y l) (cons y m)))))
(assert (forall ((x Int) (l List) (m List) (a Int) (b Int)) (=> (and (insert x l m) (length l a) (length m b) (not (= b (+ a 1)))) false)))
(check-sat)
