; Two traffic lights at a crossing, colours as an enumeration: one of them is always red.
; verdict: sat
(set-logic HORN)
(declare-datatypes ((Colour 0)) (((red) (amber) (green))))
(declare-fun lights (Colour Colour) Bool)
(assert (lights red red))
(assert (forall ((b Colour)) (=> (and (lights red b) (= b red)) (lights green b))))
(assert (forall ((a Colour)) (=> (and (lights a red) (= a red)) (lights a green))))
(assert (forall ((b Colour)) (=> (lights green b) (lights amber b))))
(assert (forall ((a Colour)) (=> (lights a green) (lights a amber))))
(assert (forall ((b Colour)) (=> (lights amber b) (lights red b))))
(assert (forall ((a Colour)) (=> (lights a amber) (lights a red))))
(assert (forall ((a Colour) (b Colour)) (=> (and (lights a b) (distinct a red) (distinct b red)) false)))
(check-sat)
