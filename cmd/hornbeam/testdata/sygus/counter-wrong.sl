; expected: infeasible
; A counter that goes up to its bound; what has to hold does not.
(set-logic LIA)
(synth-inv inv ((i Int) (n Int)))
(define-fun pre ((i Int) (n Int)) Bool (and (= i 0) (>= n 0)))
(define-fun trans ((i Int) (n Int) (i! Int) (n! Int)) Bool
  (and (< i n) (= i! (+ i 1)) (= n! n)))
(define-fun post ((i Int) (n Int)) Bool (=> (>= i n) (not (= i 4))))
(inv-constraint inv pre trans post)
(check-synth)
