; expected: invariant
; Two counters that change in step.
(set-logic LIA)
(synth-inv inv ((x Int) (y Int) (n Int)))
(define-fun pre ((x Int) (y Int) (n Int)) Bool (and (= x 0) (= y n) (> n 0)))
(define-fun trans ((x Int) (y Int) (n Int) (x! Int) (y! Int) (n! Int)) Bool
  (and (> y 0) (= x! (+ x 1)) (= y! (- y 1)) (= n! n)))
(define-fun post ((x Int) (y Int) (n Int)) Bool (=> (<= y 0) (= x n)))
(inv-constraint inv pre trans post)
(check-synth)
