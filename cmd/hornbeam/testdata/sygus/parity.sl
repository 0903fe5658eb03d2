; expected: invariant
; A value that stays even.
(set-logic LIA)
(synth-inv inv ((x Int) (steps Int)))
(define-fun pre ((x Int) (steps Int)) Bool (and (= x 0) (= steps 0)))
(define-fun trans ((x Int) (steps Int) (x! Int) (steps! Int)) Bool
  (or (and (= x! (+ x 2)) (= steps! (+ steps 1))) (and (= x! (- x 4)) (= steps! (+ steps 1)))))
(define-fun post ((x Int) (steps Int)) Bool (not (= x 7)))
(inv-constraint inv pre trans post)
(check-synth)
