package boogie

import (
	"fmt"
	"strings"
	"testing"
)

// generatedProgram is a program of about the size in the manner of SMACK's: a prelude of which little is used, then
// procedures of short statements with a position before each.
func generatedProgram(prelude, size int) []byte {
	var b strings.Builder
	b.WriteString("type i1 = int;\n\ntype i32 = int;\n\ntype i64 = int;\n\ntype ref = i64;\n\ntype float;\n\n")
	b.WriteString("function {:inline} $eq.ref(p1: ref, p2: ref) : i1\n{\n  (if $eq.i64.bool(p1, p2) then 1 else 0)\n}\n\n")
	b.WriteString("function {:inline} $eq.i64.bool(i1: i64, i2: i64) : bool\n{\n  i1 == i2\n}\n\n")
	b.WriteString("function {:inline} $add.ref(p1: ref, p2: ref) : ref\n{\n  p1 + p2\n}\n\n")
	b.WriteString("function {:inline} $load.ref(M: [ref]ref, p: ref) : ref\n{\n  M[p]\n}\n\n")
	for i := 0; b.Len() < prelude; i++ {
		fmt.Fprintf(&b, "function {:inline} $slt.i%d(i1: i32, i2: i32) : i1\n{\n  (if i1 < i2 then 1 else 0)\n}\n\n", i)
		fmt.Fprintf(&b, "function {:bvbuiltin \"bvadd\"} $add.bv%d(i1: bv32, i2: bv32) : bv32;\n\n", i)
		fmt.Fprintf(&b, "const $%d.ref: ref;\n\naxiom $%d.ref == $add.ref(%d, %d);\n\n", i, i, i, i)
	}
	for i := range 40 {
		fmt.Fprintf(&b, "var $M.%d: [ref]ref;\n\n", i)
	}
	b.WriteString("procedure {:cexpr} boogie_si_record_ref(x: ref);\n\n")
	last := 0
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "procedure p%d($p0: ref, $p1: ref) returns ($r: i32)\n  modifies $M.%d;\n{\n", i, i%40)
		for j := range 40 {
			fmt.Fprintf(&b, "  var $i%d: ref;\n", j)
		}
		for j := range 40 {
			fmt.Fprintf(&b, "\n$bb%d:\n  assume {:sourceloc \"./output/some_driver_tmp.c\", %d, %d} true;\n  assume {:verifier.code 0} true;\n", j, i+j, j)
			fmt.Fprintf(&b, "  $i%d := $load.ref($M.%d, $add.ref($add.ref($p0, 16), %d));\n", j, (i+j)%40, 8*j)
			fmt.Fprintf(&b, "  call {:cexpr \"x\"} boogie_si_record_ref($i%d);\n", j)
			fmt.Fprintf(&b, "  $M.%d := $M.%d[$i%d := $eq.ref($i%d, $0.ref)];\n", i%40, i%40, j, j)
			if i > 0 {
				fmt.Fprintf(&b, "  call {:si_unique_call %d} $i%d := p%d($i%d, $p1);\n", j, j, (i*7+j)%i, j)
			}
			fmt.Fprintf(&b, "  goto $bb%d, $bb%d;\n", (j+1)%40, (j+7)%40)
		}
		b.WriteString("}\n\n")
		last = i
	}
	b.WriteString("procedure {:entrypoint} main() returns ($r: i32)\n{\n")
	for i := range last + 1 {
		fmt.Fprintf(&b, "  call $r := p%d(0, 1);\n", i)
	}
	b.WriteString("  assert $r == 0;\n  return;\n}\n")
	return []byte(b.String())
}

func benchmark(b *testing.B, src []byte, read func() error) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := read(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse reads the syntax of a large generated program.
func BenchmarkParse(b *testing.B) {
	src := generatedProgram(170_000, 2_000_000)
	benchmark(b, src, func() error {
		_, err := Parse("bench", src, Options{})
		return err
	})
}

// BenchmarkRead reads a large generated program, prunes and checks it.
func BenchmarkRead(b *testing.B) {
	src := generatedProgram(170_000, 2_000_000)
	benchmark(b, src, func() error {
		_, err := Read("bench", src, Options{})
		return err
	})
}

// BenchmarkCheckAll checks all of a large program, without pruning.
func BenchmarkCheckAll(b *testing.B) {
	src := generatedProgram(170_000, 2_000_000)
	p, err := Parse("bench", src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, src, func() error { return Check(p, Options{}) })
}

// BenchmarkPrint prints a large program.
func BenchmarkPrint(b *testing.B) {
	src := generatedProgram(170_000, 2_000_000)
	p, err := Parse("bench", src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, src, func() error { printed(b, p); return nil })
}
