; Objects with two fields, each field an array over addresses: balances start at 0 and only grow, whatever happens to the owners.
; verdict: sat
(set-logic HORN)
; the heap has a field balance and a field owner; addresses from free on are not in use
(declare-fun heap ((Array Int Int) (Array Int Int) Int) Bool)
(assert (forall ((balance (Array Int Int)) (owner (Array Int Int))) (heap balance owner 1)))
(assert (forall ((balance (Array Int Int)) (owner (Array Int Int)) (free Int) (o Int))
  (=> (heap balance owner free) (heap (store balance free 0) (store owner free o) (+ free 1)))))
(assert (forall ((balance (Array Int Int)) (owner (Array Int Int)) (free Int) (x Int) (o Int))
  (=> (and (heap balance owner free) (< 0 x free)) (heap balance (store owner x o) free))))
(assert (forall ((balance (Array Int Int)) (owner (Array Int Int)) (free Int) (x Int) (d Int))
  (=> (and (heap balance owner free) (< 0 x free) (> d 0)) (heap (store balance x (+ (select balance x) d)) owner free))))
(assert (forall ((balance (Array Int Int)) (owner (Array Int Int)) (free Int) (x Int))
  (=> (and (heap balance owner free) (< 0 x free) (< (select balance x) 0)) false)))
(check-sat)
