; each element is at least the one before it: then any two elements are in order
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (x Int)) (loop (store a 0 x) 1 x)))
(assert (forall ((a (Array Int Int)) (i Int) (x Int) (y Int))
  (=> (and (loop a i x) (>= y x)) (loop (store a i y) (+ i 1) y))))
(assert (forall ((a (Array Int Int)) (n Int) (x Int) (i Int) (j Int))
  (=> (and (loop a n x) (<= 0 i) (<= i j) (< j n) (> (select a i) (select a j))) false)))
(check-sat)
