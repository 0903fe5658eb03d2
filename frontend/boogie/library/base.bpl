// What programs may use without declaring it: the names that Boogie declares with -lib:base. The declarations are our own, and
// none of the axioms contradict each other.

// Operators on all entries of maps.

function {:builtin "MapConst"} MapConst<K, V>(value: V): [K]V;
function {:builtin "MapEq"} MapEq<K, V>(a: [K]V, b: [K]V): [K]bool;
function {:builtin "MapIte"} MapIte<K, V>(which: [K]bool, a: [K]V, b: [K]V): [K]V;
function {:builtin "MapOr"} MapOr<K>(a: [K]bool, b: [K]bool): [K]bool;
function {:builtin "MapAnd"} MapAnd<K>(a: [K]bool, b: [K]bool): [K]bool;
function {:builtin "MapNot"} MapNot<K>(a: [K]bool): [K]bool;
function {:builtin "MapImp"} MapImp<K>(a: [K]bool, b: [K]bool): [K]bool;
function {:builtin "MapIff"} MapIff<K>(a: [K]bool, b: [K]bool): [K]bool;
function {:builtin "MapAdd"} MapAdd<K>(a: [K]int, b: [K]int): [K]int;
function {:builtin "MapSub"} MapSub<K>(a: [K]int, b: [K]int): [K]int;
function {:builtin "MapMul"} MapMul<K>(a: [K]int, b: [K]int): [K]int;
function {:builtin "MapDiv"} MapDiv<K>(a: [K]int, b: [K]int): [K]int;
function {:builtin "MapMod"} MapMod<K>(a: [K]int, b: [K]int): [K]int;
function {:builtin "MapGt"} MapGt<K>(a: [K]int, b: [K]int): [K]bool;
function {:builtin "MapGe"} MapGe<K>(a: [K]int, b: [K]int): [K]bool;
function {:builtin "MapLt"} MapLt<K>(a: [K]int, b: [K]int): [K]bool;
function {:builtin "MapLe"} MapLe<K>(a: [K]int, b: [K]int): [K]bool;
function {:inline} MapDiff<K>(a: [K]bool, b: [K]bool): [K]bool { MapAnd(a, MapNot(b)) }
function {:inline} MapOne<K>(k: K): [K]bool { (MapConst(false): [K]bool)[k := true] }
function {:inline} ToMultiset<K>(set: [K]bool): [K]int { MapIte(set, MapConst(1), MapConst(0)) }
function {:inline} IsSet<K>(counts: [K]int): bool { MapOr(MapEq(counts, MapConst(0)), MapEq(counts, MapConst(1))) == MapConst(true) }
function {:inline} IsSubset<K>(a: [K]bool, b: [K]bool): bool { MapImp(a, b) == MapConst(true) }
function {:inline} IsDisjoint<K>(a: [K]bool, b: [K]bool): bool { MapAnd(a, b) == MapConst(false) }

// Some value of each type, the function that returns its argument, and sets of integers.

function Default<T>(): T;
function {:inline} Id<T>(x: T): T { x }
const Identity: [int]int;
axiom Identity == (lambda i: int :: i);
function {:inline} AtLeast(low: int): [int]bool { (lambda i: int :: low <= i) }
function {:inline} Range(low: int, count: int): [int]bool { (lambda i: int :: low <= i && i < low + count) }
function Choice<T>(set: [T]bool): T;
axiom (forall<T> set: [T]bool :: {Choice(set)} set == MapConst(false) || set[Choice(set)]);

datatype Option<T> { None(), Some(t: T) }

// Sequences. An entry outside of a sequence is Default().

type Vec T;
function Vec_Len<T>(v: Vec T): int;
axiom (forall<T> v: Vec T :: {Vec_Len(v)} Vec_Len(v) >= 0);
function Vec_Nth<T>(v: Vec T, i: int): T;
axiom (forall<T> v: Vec T, i: int :: {Vec_Nth(v, i)} i < 0 || i >= Vec_Len(v) ==> Vec_Nth(v, i) == Default());
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
function Vec_Slice<T>(v: Vec T, from: int, to: int): Vec T;
axiom (forall<T> v: Vec T, from: int, to: int :: {Vec_Slice(v, from, to)} Vec_Len(Vec_Slice(v, from, to)) ==
  if 0 <= from && from < to && to <= Vec_Len(v) then to - from else 0);
axiom (forall<T> v: Vec T, from: int, to: int, i: int :: {Vec_Nth(Vec_Slice(v, from, to), i)}
  0 <= i && i < Vec_Len(Vec_Slice(v, from, to)) ==> Vec_Nth(Vec_Slice(v, from, to), i) == Vec_Nth(v, from + i));
function {:inline} Vec_Remove<T>(v: Vec T): Vec T { Vec_Slice(v, 0, Vec_Len(v) - 1) }
function {:inline} Vec_Contains<T>(v: Vec T, i: int): bool { 0 <= i && i < Vec_Len(v) }
pure procedure Vec_Ext<T>(v: Vec T, w: Vec T) returns (i: int);
  ensures v == w || Vec_Len(v) != Vec_Len(w) || Vec_Nth(v, i) != Vec_Nth(w, i);

// Sets. What the size of an infinite set is, is left open but for what follows from the axioms.

datatype Set<T> { Set(val: [T]bool) }
function {:inline} Set_Empty<T>(): Set T { Set(MapConst(false)) }
function {:inline} Set_Contains<T>(a: Set T, x: T): bool { a->val[x] }
function {:inline} Set_IsSubset<T>(a: Set T, b: Set T): bool { IsSubset(a->val, b->val) }
function {:inline} Set_IsDisjoint<T>(a: Set T, b: Set T): bool { IsDisjoint(a->val, b->val) }
function {:inline} Set_Add<T>(a: Set T, x: T): Set T { Set(a->val[x := true]) }
function {:inline} Set_Remove<T>(a: Set T, x: T): Set T { Set(a->val[x := false]) }
function {:inline} Set_Singleton<T>(x: T): Set T { Set(MapOne(x)) }
function {:inline} Set_Union<T>(a: Set T, b: Set T): Set T { Set(MapOr(a->val, b->val)) }
function {:inline} Set_Intersection<T>(a: Set T, b: Set T): Set T { Set(MapAnd(a->val, b->val)) }
function {:inline} Set_Difference<T>(a: Set T, b: Set T): Set T { Set(MapDiff(a->val, b->val)) }
function {:inline} Set_Collector<T>(a: Set T): [T]bool { a->val }
function Set_Size<T>(a: Set T): int;
axiom (forall<T> :: Set_Size(Set_Empty(): Set T) == 0);
axiom (forall<T> m: [T]bool, x: T :: {Set_Size(Set(m[x := true]))} Set_Size(Set(m[x := true])) == Set_Size(Set(m)) + (if m[x] then 0 else 1));
axiom (forall<T> m: [T]bool, x: T :: {Set_Size(Set(m[x := false]))} Set_Size(Set(m[x := false])) == Set_Size(Set(m)) - (if m[x] then 1 else 0));
axiom (forall<T> a: Set T, b: Set T :: {Set_Size(Set_Union(a, b))}
  Set_Size(Set_Union(a, b)) + Set_Size(Set_Intersection(a, b)) == Set_Size(a) + Set_Size(b));
axiom (forall<T> a: Set T, b: Set T :: {Set_Size(Set_Difference(a, b))}
  Set_Size(a) == Set_Size(Set_Difference(a, b)) + Set_Size(Set_Intersection(a, b)));

// Maps with a domain.

datatype Map<K, V> { Map(dom: Set K, val: [K]V) }
function {:inline} Map_Empty<K, V>(): Map K V { Map(Set_Empty(), MapConst(Default())) }
function {:inline} Map_Singleton<K, V>(k: K, v: V): Map K V { Map_Update(Map_Empty(), k, v) }
function {:inline} Map_Contains<K, V>(m: Map K V, k: K): bool { m->dom->val[k] }
function {:inline} Map_IsDisjoint<K, V>(a: Map K V, b: Map K V): bool { Set_IsDisjoint(a->dom, b->dom) }
function {:inline} Map_At<K, V>(m: Map K V, k: K): V { m->val[k] }
function {:inline} Map_Update<K, V>(m: Map K V, k: K, v: V): Map K V { Map(Set_Add(m->dom, k), m->val[k := v]) }
function {:inline} Map_Remove<K, V>(m: Map K V, k: K): Map K V { Map(Set_Remove(m->dom, k), m->val[k := Default()]) }
function {:inline} Map_Swap<K, V>(m: Map K V, j: K, k: K): Map K V { Map_Update(Map_Update(m, j, Map_At(m, k)), k, Map_At(m, j)) }
function {:inline} Map_WellFormed<K, V>(m: Map K V): bool { m->val == MapIte(m->dom->val, m->val, MapConst(Default())) }
function {:inline} Map_Collector<K, V>(m: Map K V): [K]bool { m->dom->val }

// One value, one entry, and locations.

datatype One<T> { One(val: T) }
function {:inline} One_Collector<T>(a: One T): [T]bool { MapOne(a->val) }
datatype Cell<K, V> { Cell(key: K, val: V) }
function {:inline} Cell_Collector<K, V>(a: Cell K V): [K]bool { MapOne(a->key) }
datatype Fraction<T, K> { Fraction(val: T, id: K, ids: [K]bool) }
type Loc T;

pure procedure Copy<T>(v: T) returns (copy_v: T);
  ensures copy_v == v;
pure procedure Assume(b: bool);
  ensures b;
pure procedure Move<T>(v: T, v': T);
  requires v == v';
pure procedure Set_MakeEmpty<K>() returns (l: Set K);
  ensures l == Set_Empty();
pure procedure Map_MakeEmpty<K, V>() returns (m: Map K V);
  ensures m == Map_Empty();
pure procedure Map_Assume<K, V>(src: Map K V, dst: Map K V);
  ensures Set_IsDisjoint(src->dom, dst->dom);
pure procedure Cell_Pack<K, V>(l: One K, v: V) returns (c: Cell K V);
  ensures c == Cell(l->val, v);
pure procedure Cell_Unpack<K, V>(c: Cell K V) returns (l: One K, v: V);
  ensures l == One(c->key) && v == c->val;
pure procedure One_New<V>() returns (l: One (Loc V));
