; The older style of declare-rel, rule and query: y catches up with x.
; verdict: unsat
(set-logic HORN)
(declare-rel p (Int Int))
(declare-rel error ())
(declare-var x Int)
(declare-var y Int)
(rule (p 6 0))
(rule (=> (and (p x y) (> x y)) (p x (+ y 2))) step)
(rule (=> (and (p x y) (= x y)) error))
(query error)
