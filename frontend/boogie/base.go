package boogie

import (
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// vectors declares the finite sequences that programs may use without declaring them: Boogie brings them along as a
// library. The axioms hold for sequences, so that they don't contradict each other; an entry outside of a vector is
// always Vec_Default.
const vectors = `
type Vec T;
function Vec_Default<T>(): T;
function Vec_Len<T>(v: Vec T): int;
axiom (forall<T> v: Vec T :: {Vec_Len(v)} Vec_Len(v) >= 0);
function Vec_Nth<T>(v: Vec T, i: int): T;
axiom (forall<T> v: Vec T, i: int :: {Vec_Nth(v, i)} i < 0 || i >= Vec_Len(v) ==> Vec_Nth(v, i) == Vec_Default());
function Vec_Empty<T>(): Vec T;
axiom (forall<T> :: Vec_Len(Vec_Empty(): Vec T) == 0);
function Vec_Append<T>(v: Vec T, x: T): Vec T;
axiom (forall<T> v: Vec T, x: T :: {Vec_Append(v, x)} Vec_Len(Vec_Append(v, x)) == Vec_Len(v) + 1);
axiom (forall<T> v: Vec T, x: T, i: int :: {Vec_Nth(Vec_Append(v, x), i)}
  Vec_Nth(Vec_Append(v, x), i) == if i == Vec_Len(v) then x else Vec_Nth(v, i));
function Vec_Update<T>(v: Vec T, i: int, x: T): Vec T;
axiom (forall<T> v: Vec T, i: int, x: T :: {Vec_Update(v, i, x)} Vec_Len(Vec_Update(v, i, x)) == Vec_Len(v));
axiom (forall<T> v: Vec T, i: int, x: T, j: int :: {Vec_Nth(Vec_Update(v, i, x), j)}
  Vec_Nth(Vec_Update(v, i, x), j) == if i == j && 0 <= i && i < Vec_Len(v) then x else Vec_Nth(v, j));
function {:inline} Vec_Swap<T>(v: Vec T, i: int, j: int): Vec T
{
  if 0 <= i && i < Vec_Len(v) && 0 <= j && j < Vec_Len(v)
  then Vec_Update(Vec_Update(v, i, Vec_Nth(v, j)), j, Vec_Nth(v, i)) else v
}
function Vec_Concat<T>(v: Vec T, w: Vec T): Vec T;
axiom (forall<T> v: Vec T, w: Vec T :: {Vec_Concat(v, w)} Vec_Len(Vec_Concat(v, w)) == Vec_Len(v) + Vec_Len(w));
axiom (forall<T> v: Vec T, w: Vec T, i: int :: {Vec_Nth(Vec_Concat(v, w), i)}
  Vec_Nth(Vec_Concat(v, w), i) == if i < Vec_Len(v) then Vec_Nth(v, i) else Vec_Nth(w, i - Vec_Len(v)));
function {:inline} Vec_Between(i: int, low: int, high: int): int { if i < low then low else if i > high then high else i }
function Vec_Slice<T>(v: Vec T, from: int, to: int): Vec T;
axiom (forall<T> v: Vec T, from: int, to: int :: {Vec_Slice(v, from, to)} Vec_Len(Vec_Slice(v, from, to)) ==
  if Vec_Between(from, 0, Vec_Len(v)) < Vec_Between(to, 0, Vec_Len(v))
  then Vec_Between(to, 0, Vec_Len(v)) - Vec_Between(from, 0, Vec_Len(v)) else 0);
axiom (forall<T> v: Vec T, from: int, to: int, i: int :: {Vec_Nth(Vec_Slice(v, from, to), i)}
  0 <= i && i < Vec_Len(Vec_Slice(v, from, to)) ==>
  Vec_Nth(Vec_Slice(v, from, to), i) == Vec_Nth(v, Vec_Between(from, 0, Vec_Len(v)) + i));
function {:inline} Vec_Remove<T>(v: Vec T): Vec T { Vec_Slice(v, 0, Vec_Len(v) - 1) }
pure procedure Vec_Ext<T>(v: Vec T, w: Vec T) returns (i: int);
  ensures v == w || Vec_Len(v) != Vec_Len(w) || Vec_Nth(v, i) != Vec_Nth(w, i);
`

// addLibrary adds the vectors to a program that uses their type but does not declare it.
func addLibrary(p *ast.Program, src string) error {
	if !strings.Contains(src, "Vec") || !usesVectors(p) {
		return nil
	}
	library, err := Parse("library of vectors", []byte(vectors), Options{Dialect: DialectBoogie})
	if err != nil {
		return err
	}
	p.Declarations = append(p.Declarations, library.Declarations...)
	return nil
}

// usesVectors reports whether a type Vec is mentioned in a signature or a declaration of variables, and not declared.
func usesVectors(p *ast.Program) bool {
	pr := newPruner(p)
	if len(pr.declared[typeName]["Vec"]) > 0 {
		return false
	}
	for _, d := range p.Declarations {
		pr.keep(d)
	}
	pr.run()
	return pr.marked[typeName]["Vec"]
}
