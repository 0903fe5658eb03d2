; A tree and its mirror image have equally many nodes.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (label Int) (right Tree)))))
(declare-fun size (Tree Int) Bool)
(assert (size leaf 0))
(assert (forall ((l Tree) (x Int) (r Tree) (m Int) (n Int)) (=> (and (size l m) (size r n)) (size (node l x r) (+ m n 1)))))
(declare-fun mirror (Tree Tree) Bool)
(assert (mirror leaf leaf))
(assert (forall ((l Tree) (x Int) (r Tree) (a Tree) (b Tree)) (=> (and (mirror l a) (mirror r b)) (mirror (node l x r) (node b x a)))))
(assert (forall ((t Tree) (u Tree) (m Int) (n Int)) (=> (and (mirror t u) (size t m) (size u n) (not (= m n))) false)))
(check-sat)
