; A recursion over a tree that counts along the first subtree, whatever the others are; the fault is at a leaf.
; depth 5, width 2, 1 relevant and 0 irrelevant variables, seed 1
; verdict: sat
(set-logic HORN)
(declare-fun visit (Int Int) Bool)
(assert (forall ((x Int) (r Int) (y0 Int) (t0 Int)) (=> (and (> x 0) (visit (- x 1) r) (>= y0 0) (< y0 x) (visit y0 t0)) (visit x (+ r 1)))))
(assert (forall ((x Int) (r Int)) (=> (and (= x 0) (= r 0)) (visit x r))))
(assert (forall ((r Int)) (=> (and (visit 5 r) (> r 5)) false)))
(check-sat)
