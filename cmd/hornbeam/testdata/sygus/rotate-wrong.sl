; expected: infeasible
; Bits that are rotated; what has to hold does not.
(set-logic BV)
(synth-inv inv ((x (_ BitVec 8))))
(define-fun pre ((x (_ BitVec 8))) Bool (= x #x81))
(define-fun trans ((x (_ BitVec 8)) (x! (_ BitVec 8))) Bool
  (= x! (bvor (bvshl x #x01) (bvlshr x #x07))))
(define-fun post ((x (_ BitVec 8))) Bool (not (= x #x0c)))
(inv-constraint inv pre trans post)
(check-synth)
