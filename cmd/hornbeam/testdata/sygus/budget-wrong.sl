; expected: infeasible
; What is spent and what is left are the budget; what has to hold does not.
(set-logic LIA)
(synth-inv inv ((spent Int) (left Int) (budget Int)))
(define-fun pre ((spent Int) (left Int) (budget Int)) Bool (and (= spent 0) (= left budget) (>= budget 0)))
(define-fun trans ((spent Int) (left Int) (budget Int) (spent! Int) (left! Int) (budget! Int)) Bool
  (and (> left 2) (= spent! (+ spent 3)) (= left! (- left 3)) (= budget! budget)))
(define-fun post ((spent Int) (left Int) (budget Int)) Bool (or (> left 0) (not (= budget 9))))
(inv-constraint inv pre trans post)
(check-synth)
