; Adding one on the right is said to change nothing.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun add (Nat Nat Nat) Bool)
(assert (forall ((y Nat)) (add zero y y)))
(assert (forall ((x Nat) (y Nat) (z Nat)) (=> (add x y z) (add (succ x) y (succ z)))))
(assert (forall ((x Nat) (z Nat)) (=> (and (add x (succ zero) z) (not (= z x))) false)))
(check-sat)
