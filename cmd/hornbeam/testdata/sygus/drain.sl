; expected: invariant
; A tank that is filled and drained by halves.
(set-logic LRA)
(synth-inv inv ((level Real) (valve Real)))
(define-fun pre ((level Real) (valve Real)) Bool (and (= level 1.0) (= valve 0.0)))
(define-fun trans ((level Real) (valve Real) (level! Real) (valve! Real)) Bool
  (or (and (< level 4.0) (= valve! 1.0) (= level! (+ level 0.5))) (and (> level 0.5) (= valve! 0.0) (= level! (* 0.5 level)))))
(define-fun post ((level Real) (valve Real)) Bool (and (> level 0.0) (< level 5.0)))
(inv-constraint inv pre trans post)
(check-synth)
