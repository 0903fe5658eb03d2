; Some tree with any number of branches has four nodes.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((Rose 0) (Forest 0)) (((rose (label Int) (below Forest))) ((empty) (grow (first Rose) (rest Forest)))))
(declare-fun roses (Rose Int) Bool)
(declare-fun forest (Forest Int) Bool)
(assert (forest empty 0))
(assert (forall ((r Rose) (f Forest) (m Int) (n Int)) (=> (and (roses r m) (forest f n)) (forest (grow r f) (+ m n)))))
(assert (forall ((x Int) (f Forest) (n Int)) (=> (forest f n) (roses (rose x f) (+ n 1)))))
(assert (forall ((r Rose)) (=> (roses r 4) false)))
(check-sat)
