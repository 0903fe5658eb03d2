; expected: infeasible
; Two processes and a lock, as numbers; what has to hold does not.
(set-logic LIA)
(synth-inv inv ((p Int) (q Int) (lock Int)))
(define-fun pre ((p Int) (q Int) (lock Int)) Bool (and (= p 0) (= q 0) (= lock 0)))
(define-fun trans ((p Int) (q Int) (lock Int) (p! Int) (q! Int) (lock! Int)) Bool
  (or (and (= p 0) (= lock 0) (= p! 1) (= q! q) (= lock! 1)) (and (= p 1) (= p! 0) (= q! q) (= lock! 0)) (and (= q 0) (= lock 0) (= q! 1) (= p! p) (= lock! 1)) (and (= q 1) (= q! 0) (= p! p) (= lock! 0))))
(define-fun post ((p Int) (q Int) (lock Int)) Bool (not (and (= q 1) (= lock 1))))
(inv-constraint inv pre trans post)
(check-synth)
