; Every tree has a natural number of nodes, and only a leaf has none.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (label Int) (right Tree)))))
(declare-fun size (Tree Int) Bool)
(assert (size leaf 0))
(assert (forall ((l Tree) (x Int) (r Tree) (m Int) (n Int)) (=> (and (size l m) (size r n)) (size (node l x r) (+ m n 1)))))
(assert (forall ((t Tree) (n Int)) (=> (and (size t n) (or (< n 0) (and (= n 0) (not (= t leaf))))) false)))
(check-sat)
