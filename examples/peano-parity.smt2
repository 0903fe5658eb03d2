; No natural number, built from zero by succ, is both even and odd.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun even (Nat) Bool)
(declare-fun odd (Nat) Bool)
(assert (even zero))
(assert (forall ((n Nat)) (=> (even n) (odd (succ n)))))
(assert (forall ((n Nat)) (=> (odd n) (even (succ n)))))
(assert (forall ((n Nat)) (=> (and (even n) (odd n)) false)))
(check-sat)
