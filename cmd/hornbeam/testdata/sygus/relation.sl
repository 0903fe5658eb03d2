; expected: invariant
; Constraints in the form of clauses: what a callee returns.
(set-logic LIA)
(synth-fun double ((x Int) (r Int)) Bool)
(chc-constraint ((x Int) (r Int)) (and (<= x 0) (= r 0)) (double x r))
(chc-constraint ((x Int) (r Int)) (and (> x 0) (double (- x 1) r)) (double x (+ r 2)))
(chc-constraint ((x Int) (r Int)) (and (double x r) (> x 0) (not (= r (* 2 x)))) false)
(check-synth)
