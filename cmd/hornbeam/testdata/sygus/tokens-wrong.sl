; expected: infeasible
; Three places between which tokens move; what has to hold does not.
(set-logic LIA)
(synth-inv inv ((a Int) (b Int) (c Int)))
(define-fun pre ((a Int) (b Int) (c Int)) Bool (and (= a 3) (= b 0) (= c 0)))
(define-fun trans ((a Int) (b Int) (c Int) (a! Int) (b! Int) (c! Int)) Bool
  (or (and (> a 0) (= a! (- a 1)) (= b! (+ b 1)) (= c! c)) (and (> b 0) (= a! a) (= b! (- b 1)) (= c! (+ c 1))) (and (> c 0) (= a! (+ a 1)) (= b! b) (= c! (- c 1)))))
(define-fun post ((a Int) (b Int) (c Int)) Bool (< c 3))
(inv-constraint inv pre trans post)
(check-synth)
