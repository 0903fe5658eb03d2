; The default for a missing value is -1, which is out of bounds.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((Option 0)) (((none) (some (value Int)))))
(declare-fun lookup (Int Option) Bool)
(declare-fun answer (Int Int) Bool)
; keys below 10 have the value 2k+1, others have none
(assert (forall ((k Int)) (=> (and (<= 0 k) (< k 10)) (lookup k (some (+ (* 2 k) 1))))))
(assert (forall ((k Int)) (=> (or (< k 0) (>= k 10)) (lookup k none))))
(assert (forall ((k Int) (o Option) (d Int)) (=> (and (lookup k o) (= d (- 1))) (answer k (ite ((_ is some) o) (value o) d)))))
(assert (forall ((k Int) (v Int)) (=> (and (answer k v) (or (< v 0) (> v 19))) false)))
(check-sat)
