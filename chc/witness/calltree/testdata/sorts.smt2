; Every sort of value, names that need quotes, and a name that would break a line.
(set-logic HORN)
(declare-sort Key 0)
(declare-datatypes ((Colour 0)) (((red) (rgb (r Int) (g Int) (b Int)))))
(declare-fun |my pred| (Key (_ BitVec 8) (_ BitVec 3) Real Bool Colour (Array Int Bool)) Bool)
(declare-fun none () Bool)
(assert (! (forall ((k Key) (|a byte| (_ BitVec 8)) (w (_ BitVec 3)) (x Real) (|two
lines| Bool) (c Colour) (a (Array Int Bool)))
  (=> (and (= |a byte| #x0f) (= w #b101) (= x (/ 3 2)) |two
lines| (= c (rgb 1 (- 2) 3)) (= a (store ((as const (Array Int Bool)) false) 7 true)))
   (|my pred| k |a byte| w x |two
lines| c a))) :named start))
(assert (forall ((k Key) (|a byte| (_ BitVec 8)) (w (_ BitVec 3)) (x Real) (|two
lines| Bool) (c Colour) (a (Array Int Bool)))
  (=> (|my pred| k |a byte| w x |two
lines| c a) none)))
(assert (! (=> none false) :named |the query|))
