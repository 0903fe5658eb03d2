; Bool only: a three-bit counter reaches 111.
; verdict: unsat
(set-logic HORN)
(declare-fun bits (Bool Bool Bool) Bool)
(assert (bits false false false))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (bits a b c) (bits (not a) (xor a b) (xor (and a b) c)))))
(assert (=> (bits true true true) false))
(check-sat)
