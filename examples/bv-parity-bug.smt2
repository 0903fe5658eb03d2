; The number of bits set in 00110110 is even.
; verdict: unsat
(set-logic HORN)
(declare-fun parity ((_ BitVec 8) (_ BitVec 8) Bool) Bool)
(assert (forall ((x (_ BitVec 8))) (parity x x false)))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (p Bool))
  (=> (and (parity x y p) (distinct y #x00)) (parity x (bvlshr y #x01) (xor p (= ((_ extract 0 0) y) #b1))))))
(assert (forall ((x (_ BitVec 8)) (p Bool)) (=> (and (parity x #x00 p) (= x #b00110110) (not (= p true))) false)))
(check-sat)
