; expected: infeasible
; Constraints in the form of clauses: what a callee does not return.
(set-logic LIA)
(synth-fun double ((x Int) (r Int)) Bool)
(chc-constraint ((x Int) (r Int)) (and (<= x 0) (= r 0)) (double x r))
(chc-constraint ((x Int) (r Int)) (and (> x 0) (double (- x 1) r)) (double x (+ r 2)))
(chc-constraint ((x Int) (r Int)) (and (double x r) (= x 3) (= r 6)) false)
(check-synth)
