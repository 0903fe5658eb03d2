; A tree is at most as high as it has nodes.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (label Int) (right Tree)))))
(declare-fun size (Tree Int) Bool)
(assert (size leaf 0))
(assert (forall ((l Tree) (x Int) (r Tree) (m Int) (n Int)) (=> (and (size l m) (size r n)) (size (node l x r) (+ m n 1)))))
(declare-fun height (Tree Int) Bool)
(assert (height leaf 0))
(assert (forall ((l Tree) (x Int) (r Tree) (m Int) (n Int))
  (=> (and (height l m) (height r n)) (height (node l x r) (+ (ite (> m n) m n) 1)))))
(assert (forall ((t Tree) (n Int) (h Int)) (=> (and (size t n) (height t h) (> h n)) false)))
(check-sat)
