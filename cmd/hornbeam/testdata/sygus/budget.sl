; expected: invariant
; What is spent and what is left are the budget.
(set-logic LIA)
(synth-inv inv ((spent Int) (left Int) (budget Int)))
(define-fun pre ((spent Int) (left Int) (budget Int)) Bool (and (= spent 0) (= left budget) (>= budget 0)))
(define-fun trans ((spent Int) (left Int) (budget Int) (spent! Int) (left! Int) (budget! Int)) Bool
  (and (> left 2) (= spent! (+ spent 3)) (= left! (- left 3)) (= budget! budget)))
(define-fun post ((spent Int) (left Int) (budget Int)) Bool (and (>= left 0) (= (+ spent left) budget)))
(inv-constraint inv pre trans post)
(check-synth)
