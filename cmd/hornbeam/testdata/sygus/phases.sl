; expected: invariant
; A value that rises, and falls from the middle on.
(set-logic LIA)
(synth-inv inv ((x Int) (y Int)))
(define-fun pre ((x Int) (y Int)) Bool (and (= x 0) (= y 50)))
(define-fun trans ((x Int) (y Int) (x! Int) (y! Int)) Bool
  (and (< x 100) (= x! (+ x 1)) (= y! (ite (< x 50) y (+ y 1)))))
(define-fun post ((x Int) (y Int)) Bool (=> (>= x 100) (= y 100)))
(inv-constraint inv pre trans post)
(check-synth)
