; expected: infeasible
; A sum grows faster than its counter; what has to hold does not.
(set-logic LIA)
(synth-inv inv ((s Int) (i Int)))
(define-fun pre ((s Int) (i Int)) Bool (and (= s 0) (= i 0)))
(define-fun trans ((s Int) (i Int) (s! Int) (i! Int)) Bool
  (and (= i! (+ i 1)) (= s! (+ s i))))
(define-fun post ((s Int) (i Int)) Bool (< s 10))
(inv-constraint inv pre trans post)
(check-synth)
