package read

import (
	"bytes"
	"context"
	"debug/elf"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// compiled is what gcc made of a file: the contents of its objects by name.
type compiled map[string][]byte

// needGCC skips a test that compares with gcc where there is none.
func needGCC(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with: ", err)
	}
}

// failer is what tests and properties have in common.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

// gcc compiles a file, without linking it, and reads the objects that it defines.
func gcc(t failer, dir string, model tree.Model, text string) compiled {
	t.Helper()
	mode := "-m64"
	if model == tree.ILP32 {
		mode = "-m32"
	}
	source, object := filepath.Join(dir, "x.c"), filepath.Join(dir, "x.o")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	out, err := exec.CommandContext(context.Background(), "gcc", mode, "-std=gnu11", "-fwrapv", "-fno-common", "-w", "-O0", "-c", "-o", object, source).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	f, err := elf.Open(object)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.Symbols()
	require.NoError(t, err)
	result := compiled{}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || int(s.Section) >= len(f.Sections) {
			continue
		}
		section := f.Sections[s.Section]
		result[s.Name] = make([]byte, s.Size)
		if section.Type != elf.SHT_NOBITS {
			data, err := section.Data()
			require.NoError(t, err)
			copy(result[s.Name], data[s.Value:])
		}
	}
	return result
}

// number is the signed number that an object's bytes are.
func (c compiled) number(name string) *big.Int {
	b := bytes.Clone(c[name])
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	x := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return x
}

// contents are the bytes that an object has at the start of the program.
func contents(t failer, o *tree.Object) []byte {
	t.Helper()
	out := make([]byte, o.Size())
	fill(t, out, o.Init)
	return out
}

func fill(t failer, out []byte, initials []tree.Initial) {
	t.Helper()
	r := &reader{types: newTypes(tree.LP64)}
	for _, i := range initials {
		if i.Bytes != nil {
			copy(out[i.Offset:], i.Bytes)
			continue
		}
		for k := range i.Repeat {
			at := i.Offset + k*i.Type.Size()
			if load, ok := i.Value.(*tree.Load); ok {
				d := load.Place.(*tree.CompoundLiteral).Declaration
				part := make([]byte, i.Type.Size())
				fill(t, part, d.Init)
				copy(out[at:], part)
				continue
			}
			x, ok := r.evaluate(i.Value)
			require.True(t, ok, "%s: no constant", i.Value.Pos())
			bits, shift := i.Type.Size()*8, 0
			if i.Field != nil {
				bits, shift = int64(i.Field.Bits), i.Field.Shift
			}
			for b := range int(bits) {
				at, bit := at+int64(shift+b)/8, (shift+b)%8
				out[at] = out[at]&^(1<<bit) | byte(x.Bit(b))<<bit
				if x.Sign() < 0 { // two's complement
					m := new(big.Int).Add(x, new(big.Int).Lsh(big.NewInt(1), uint(bits)+1))
					out[at] = out[at]&^(1<<bit) | byte(m.Bit(b))<<bit
				}
			}
		}
	}
}

// object finds a global object.
func object(t failer, p *tree.Program, name string) *tree.Object {
	t.Helper()
	for _, o := range p.Globals {
		if o.Name == name && o.Storage == tree.Global {
			return o
		}
	}
	t.Errorf("there is no object %s", name)
	t.FailNow()
	return nil
}

// sameContents compares all global objects of a program with what gcc makes of them.
func sameContents(t failer, dir string, model tree.Model, text string) {
	t.Helper()
	p, err := Program(context.Background(), "test.c", []byte(text), source.Options{Model: model})
	require.NoError(t, err, text)
	wellTyped(t, p)
	want := gcc(t, dir, model, text)
	for _, o := range p.Globals {
		if o.Storage == tree.Global && !o.External {
			begins := want[o.Name]
			if o.Extent > 0 {
				// Whether what a flexible array member has is behind the struct's padding or in it differs from gcc to gcc.
				require.Empty(t, bytes.Trim(begins[o.Size():], "\x00"), "%s of %s\n%s", o.Name, model.Name, text)
				begins = begins[:o.Size()]
			}
			require.Equal(t, begins, contents(t, o), "%s of %s\n%s", o.Name, model.Name, text)
		}
	}
}

func TestInitialisersAreGCCs(t *testing.T) {
	needGCC(t)
	text := `
struct P { int x; unsigned b : 3; union { int u; char c[4]; }; struct { short s, t; } in; signed char f : 4, : 0, h : 2; };
struct P g = { 1, 2, { 3 }, .in.t = 5, .in = { .s = 9 }, .f = -3, 1 };
struct P h = { .c = { 1, 2 }, { 7, 8 }, 2, 1 };
struct P i[] = { [1] = { .u = 7 }, 5, 6, [0].in.s = 4, 12 };
int tent; int tent = 3; int tent;
char str[] = "ab" "c", str2[2] = "xyz", str3[8] = { "in" }, esc[] = "\x41\102\n\0z\u00e9";
__WCHAR_TYPE__ wide[] = L"w\u00e9";
int arr[] = { [2] = 5, 6, [0 ... 1] = 7 };
int deep[2][3] = { 1, 2, { 3 }, 4 }, flat[2][2] = { { 1 }, 2, 3 };
int more[3][2] = { [1] = 5, 6, 7, [0][1] = 9 };
union U { char c; int i; struct { short a, b; } s; } u = { 300 }, v = { .s = { 1, 2 } }, w = { .i = 5, .c = 1 };
struct Q { struct { int a; struct { char b, c; }; }; int d[2]; } q = { 1, 2, 3, 4 }, r = { .c = 4, { 9 } }, s = { { .b = 1 }, .d[1] = 6, };
struct R { char name[4]; int n; } t[2] = { "abc", 1, { "toolong", 2 } };
enum E { A = 3, B, C = A * 2 } e = C;
_Bool yes = 7, no = 0.0;
char wrapped = 300; unsigned short us = -2; long long big = 0x80000000; unsigned u32 = -1.0 + 3;
struct { int a : 5; _Bool b : 1; unsigned long long c : 40; } bits = { -7, 2, -1 };
int literal = (int){ 3 } , size = sizeof(struct P) * 2 - sizeof "four" + sizeof(char[3]);
struct X { int a; union { int i; struct { short lo, hi; }; unsigned char c[8]; struct { unsigned f : 4; int g : 9; }; }; int z; };
struct X x0 = { .i = -1, .hi = 0 }, x1 = { .hi = 2, .lo = 7, .z = 4 }, x2 = { .c = { 1, 2, 3 }, .c[1] = 0, .a = 9 }, x3 = { .a = 3, { 1 } }, x4 = { .lo = 2, 3, 4 };
struct X x5[3] = { [0].lo = 2, [0].hi = 5, [1].i = -1, [1].lo = 3, [0].z = 9, [2].f = 3, [2].g = -7, [2].a = 1 };
struct X x6 = { .i = -1, .g = 1, .a = 7, .f = 2 }, x7[4] = { [3].i = 1, [0 ... 3] = { 1, { .hi = 4 } }, [2].i = 5, [1] = { .c = "ab" } };
struct X x8 = { .c[5] = 1, .c = "ab", .z = 3 }, x9 = { .c = "abcd", .c[2] = 0, .c[1] = 7 }, x10 = { .z = 4, .a = 2, { .lo = 1, .c[2] = 4 }, 8 };
union { struct { union { int p; char q; } in; int k; } s; long long l; } y0 = { .s.k = 4, .s.in.p = -1, .s.in.q = 1 }, y1 = { .s.k = 4, .l = 1, .s.in.q = 1 }, y2 = { .l = -1, .s = { { 2 } }, .s.k = 6 };
struct { char before; union { char a; signed char b; }; int c : 8; } y3 = { 1, { 2 }, .c = 3, .b = 4, .a = 5 };
int y4[6] = { [0 ... 5] = 7, [2] = 0, [3 ... 4] = 0 };
double zero; float *none = 0; void *null = (void *)0;
const int fixed[3] = { 1 };
struct { int n; char c; char d[]; } f0 = { 3, 1, { 1 } }, f1 = { 4, 5, "hello" }, f2 = { .d = "abc", .d = { 4 }, .n = 5 }, f3 = { .d[3] = 5, .d[1] = 2, .n = 1 }, f4 = { 1, 2, {} }, f5 = { 1 };
struct { short n; struct { int x; signed char y : 3; } d[]; } f6 = { 3, { { 1, -2 }, 7, 2, { .y = 1 } } }, f7 = { 2, { [0 ... 2] = { 1, 1 }, [1].x = 9 } };
struct { long long n; short d[][3]; } f8 = { 1, { 1, 2, 3, 4 } }; struct { char n; __WCHAR_TYPE__ d[]; } f9 = { 1, L"abc" };
`
	for _, model := range []tree.Model{tree.ILP32, tree.LP64} {
		sameContents(t, t.TempDir(), model, strings.ReplaceAll(text, "(int){ 3 } ,", "3,"))
	}
}
