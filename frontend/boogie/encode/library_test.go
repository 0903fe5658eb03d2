package encode_test

import (
	"testing"

	"hornbeam/frontend/boogie/encode"
)

func TestLibraryOfBoogie(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"an element that was there before", unsafe, `procedure p(s: Set int) { assert Set_Remove(Set_Add(s, 3), 3) == s; }`},
		{"maps", safe, `procedure p(m: Map int bool) { var n: Map int bool; n := Map_Update(m, 3, true); assert Map_Contains(n, 3) && Map_At(n, 3); n := Map_Remove(n, 3); assert !Map_Contains(n, 3); }`},
		{"options", safe, `procedure p(o: Option int) { var x: int; if (o is Some) { Some(x) := o; assert o == Some(x); } else { assert o == None(); } }`},
		{"slices outside of a sequence", open, `procedure p(v: Vec int) { assert Vec_Len(Vec_Slice(v, -1, 2)) == 2; }`},
		{"slices outside of a sequence are empty", safe, `procedure p(v: Vec int) { assert Vec_Len(Vec_Slice(v, -1, 2)) == 0; }`},
		{"choices", safe, `procedure p() { var s: [int]bool; s := MapOne(3); assert Choice(s) == 3; }`},
		{"copies", safe, `procedure p() { var x: int; call x := Copy(3); assert x == 3; call Assume(x > 5); assert false; }`},
		{"moves", unsafe, `procedure p() { call Move(1, 2); }`},
	})
}

func TestUnpacking(t *testing.T) {
	const pair = `datatype Pair<T> { Pair(x: T, y: T), Other() } `
	check(t, encode.Options{}, []example{
		{"takes the fields", safe, pair + `procedure p() { var a, b: int; Pair(a, b) := Pair(3, 4); assert a == 3 && b == 4; }`},
		{"all at once", safe, pair + `procedure p() { var a, b: int; a, b := 1, 2; Pair(a, b) := Pair(b, a); assert a == 2 && b == 1; }`},
		{"checks the constructor", open, pair + `procedure p(q: Pair int) { var a, b: int; Pair(a, b) := q; }`},
		{"without fields", safe, pair + `procedure p() { Other() := (Other(): Pair int); }`},
		{"without fields, checked", unsafe, pair + `procedure p(q: Pair int) { Other() := q; }`},
	})
}
