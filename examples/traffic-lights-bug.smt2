; One of two traffic lights turns green without a look at the other.
; verdict: unsat
(set-logic HORN)
(declare-datatypes ((Colour 0)) (((red) (amber) (green))))
(declare-fun lights (Colour Colour) Bool)
(assert (lights red red))
(assert (forall ((b Colour)) (=> (and (lights red b) (distinct b green)) (lights green b))))
(assert (forall ((a Colour)) (=> (and (lights a red) (= a red)) (lights a green))))
(assert (forall ((b Colour)) (=> (lights green b) (lights amber b))))
(assert (forall ((a Colour)) (=> (lights a green) (lights a amber))))
(assert (forall ((b Colour)) (=> (lights amber b) (lights red b))))
(assert (forall ((a Colour)) (=> (lights a amber) (lights a red))))
(assert (forall ((a Colour) (b Colour)) (=> (and (lights a b) (distinct a red) (distinct b red)) false)))
(check-sat)
