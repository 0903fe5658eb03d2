package read

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c/tree"
)

var integerTypes = []string{
	"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
	"long long", "unsigned long long",
}

// drawConstant draws a constant expression.
func drawConstant(t *rapid.T, depth int) string {
	if depth == 0 {
		switch rapid.IntRange(0, 6).Draw(t, "leaf") {
		case 0:
			return fmt.Sprintf("'\\x%02x'", rapid.IntRange(1, 255).Draw(t, "char"))
		case 1:
			return "sizeof(" + rapid.SampledFrom(integerTypes).Draw(t, "type") + ")"
		case 2:
			return rapid.SampledFrom([]string{
				"2147483647", "2147483648", "4294967295", "0x7fffffff", "0x80000000", "0xffffffff", "9223372036854775807", "037777777777",
				"0x8000000000000000", "0xffffffffffffffff",
			}).Draw(t, "limit")
		default:
			return fmt.Sprintf("%d%s", rapid.IntRange(0, 300).Draw(t, "number"),
				rapid.SampledFrom([]string{"", "", "u", "L", "ul", "LL", "uLL"}).Draw(t, "suffix"))
		}
	}
	sub := func() string { return drawConstant(t, rapid.IntRange(0, depth-1).Draw(t, "depth")) }
	switch rapid.IntRange(0, 9).Draw(t, "shape") {
	case 0, 1:
		return fmt.Sprintf("(%s)%s", rapid.SampledFrom(integerTypes).Draw(t, "type"), sub())
	case 2:
		return fmt.Sprintf("(%s %s)", rapid.SampledFrom([]string{"-", "~", "!", "+"}).Draw(t, "unary"), sub())
	case 3:
		return fmt.Sprintf("(%s ? %s : %s)", sub(), sub(), sub())
	case 4:
		return fmt.Sprintf("(%s %s (%s & 15))", sub(), rapid.SampledFrom([]string{"<<", ">>"}).Draw(t, "shift"), sub())
	default:
		op := rapid.SampledFrom([]string{
			"+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||",
		}).Draw(t, "operator")
		return fmt.Sprintf("(%s %s %s)", sub(), op, sub())
	}
}

// Constant expressions have the values and types' sizes that gcc -fwrapv gives them, in both data models: literals,
// promotions, the usual arithmetic conversions, casts and every operator.
func TestConstantExpressionsAreGCCs(t *testing.T) {
	needGCC(t)
	dir := t.TempDir()
	expressions := rapid.Custom(func(t *rapid.T) string { return drawConstant(t, 4) })
	for seed := range 6 {
		model := []tree.Model{tree.ILP32, tree.LP64}[seed%2]
		declare := func(text *strings.Builder, i int) {
			e := expressions.Example(1000*seed + i)
			fmt.Fprintf(text, "long long v%d = %s; int size%d = sizeof(%s);\n", i, e, i, e)
		}
		var text, defined strings.Builder
		for i := range 300 {
			declare(&text, i)
		}
		p := read(t, model, text.String())
		r := &reader{types: newTypes(model)}
		values := map[string]*big.Int{}
		for i := range 300 {
			// What divides by zero has no value; gcc refuses it.
			v, size := fmt.Sprintf("v%d", i), fmt.Sprintf("size%d", i)
			if x, ok := r.evaluate(object(t, p, v).Init[0].Value); ok {
				values[v] = x
				values[size], _ = r.evaluate(object(t, p, size).Init[0].Value)
				declare(&defined, i)
			}
		}
		require.Greater(t, len(values), 400)
		made := gcc(t, dir, model, defined.String())
		for name, x := range values {
			require.Equal(t, made.number(name).String(), x.String(), "%s in %s\n%s", name, model.Name, defined.String())
		}
	}
}

// drawRecord draws the members of a struct or union.
func drawRecord(t *rapid.T, depth int, names *int) string {
	var b strings.Builder
	for range rapid.IntRange(1, 6).Draw(t, "members") {
		*names++
		name := fmt.Sprintf("m%d", *names)
		attribute := rapid.SampledFrom([]string{"", "", "", "", "", " __attribute__((packed))", " __attribute__((aligned(4)))", " __attribute__((aligned(8)))"}).Draw(t, "attribute")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0, 1, 2, 3:
			of := rapid.SampledFrom(integerTypes).Draw(t, "type")
			width := rapid.IntRange(1, map[string]int{
				"_Bool": 1, "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32, "unsigned": 32,
				"long": 32, "unsigned long": 32, "long long": 64, "unsigned long long": 64,
			}[of]).Draw(t, "width")
			switch rapid.IntRange(0, 7).Draw(t, "named") {
			case 0:
				fmt.Fprintf(&b, "%s : %d; ", of, width)
			case 1:
				fmt.Fprintf(&b, "%s : 0; ", of)
			default:
				if strings.Contains(attribute, "aligned") {
					attribute = ""
				}
				fmt.Fprintf(&b, "%s %s : %d%s; ", of, name, width, attribute)
			}
		case 4:
			if depth > 0 {
				kind := rapid.SampledFrom([]string{"struct", "union"}).Draw(t, "nested")
				if rapid.Bool().Draw(t, "anonymous") {
					name = ""
				}
				fmt.Fprintf(&b, "%s { %s} %s; ", kind, drawRecord(t, depth-1, names), name)
				continue
			}
			fallthrough
		default:
			of := rapid.SampledFrom(append([]string{"double", "void *", "float", "long double"}, integerTypes...)).Draw(t, "type")
			array := rapid.SampledFrom([]string{"", "", "[3]", "[2][2]"}).Draw(t, "array")
			fmt.Fprintf(&b, "%s %s%s%s; ", of, name, array, attribute)
		}
	}
	return b.String()
}

// Structs and unions are laid out as gcc does it, bit-fields and packed members too: the sizes and alignments are the same,
// and so is the place of every field.
func TestLayoutsAreGCCs(t *testing.T) {
	needGCC(t)
	dir := t.TempDir()
	records := rapid.Custom(func(t *rapid.T) string {
		names := 0
		kind := rapid.SampledFrom([]string{"struct", "struct", "struct", "union"}).Draw(t, "kind")
		members := drawRecord(t, 2, &names)
		attribute := rapid.SampledFrom([]string{
			"", "", "", "__attribute__((packed))", "__attribute__((aligned(8)))", "__attribute__((aligned(2), packed, may_alias))",
		}).Draw(t, "attribute")
		return fmt.Sprintf("%s NAME { %s} %s", kind, members, attribute)
	})
	for seed := range 6 {
		model := []tree.Model{tree.ILP32, tree.LP64}[seed%2]
		var text strings.Builder
		for i := range 250 {
			record := strings.Replace(records.Example(1000*seed+i), "NAME", fmt.Sprintf("S%d", i), 1)
			kind, _, _ := strings.Cut(record, " ")
			fmt.Fprintf(&text, "#pragma pack(%s)\n", []string{"", "1", "push, 2", "pop", "4"}[i%5])
			fmt.Fprintf(&text, "%s;\nint size%d = sizeof(%s S%d), align%d = _Alignof(%s S%d);\n", record, i, kind, i, i, kind, i)
		}
		// For each integer in a record there is an object in which all its bits are set.
		count := 0
		for _, s := range read(t, model, text.String()).Structs {
			if s.Tag == "" {
				continue
			}
			for _, leaf := range leaves(s, "") {
				fmt.Fprintf(&text, "%s f%d = { %s = -1 };\n", s, count, leaf)
				count++
			}
		}
		require.Greater(t, count, 500)
		sameContents(t, dir, model, text.String())
	}
}

// eachBit calls f for the bits of the scalars in an object of the type.
func eachBit(t tree.Type, field *tree.Field, offset int64, f func(bit int64)) {
	switch t := t.(type) {
	case *tree.Array:
		for k := range max(t.Len, 0) {
			eachBit(t.Elem, nil, offset+k*t.Elem.Size(), f)
		}
	case *tree.Struct:
		for _, m := range t.Fields {
			eachBit(m.Type, m, offset+m.Offset, f)
		}
	default:
		low, size := 8*offset, 8*t.Size()
		if field != nil && field.Bits > 0 {
			low, size = low+int64(field.Shift), int64(field.Bits)
		}
		for bit := range size {
			f(low + bit)
		}
	}
}

// An object whose scalars share bits is known for one, and the parts of its partition share none: they have all that the
// scalars have, and nothing outside the object.
func TestPartitions(t *testing.T) {
	records := rapid.Custom(func(t *rapid.T) string {
		names := 0
		return fmt.Sprintf("%s NAME { %s}%s", rapid.SampledFrom([]string{"struct", "struct", "union"}).Draw(t, "kind"), drawRecord(t, 2, &names),
			rapid.SampledFrom([]string{"", " __attribute__((packed))"}).Draw(t, "attribute"))
	})
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "%s;\n", strings.Replace(records.Example(i), "NAME", fmt.Sprintf("S%d", i), 1))
	}
	shared := 0
	for _, s := range read(t, tree.LP64, text.String()).Structs {
		used, overlaps := map[int64]bool{}, false
		eachBit(s, nil, 0, func(bit int64) {
			overlaps = overlaps || used[bit]
			used[bit] = true
		})
		if overlaps {
			shared++
			require.True(t, tree.Overlapping(s), tree.Declaration(s, ""))
		}
		parts := map[int64]bool{}
		for _, p := range tree.Partition(s) {
			for k := range p.Count {
				eachBit(p.Type, p.Field, p.Offset+k*p.Stride, func(bit int64) {
					require.False(t, parts[bit], "the bit %d of %s is in two parts", bit, s)
					require.Less(t, bit, 8*s.Size(), "%s", s)
					parts[bit] = true
				})
			}
		}
		for bit := range used {
			require.True(t, parts[bit], "the bit %d of %s is in no part", bit, s)
		}
	}
	require.Greater(t, shared, 50)
}

// leaves are designators of the integers in a record; of an array, of its last element's.
func leaves(s *tree.Struct, prefix string) []string {
	var out []string
	for _, f := range s.Fields {
		path := prefix + "." + f.Name
		of := f.Type
		for {
			a, ok := of.(*tree.Array)
			if !ok {
				break
			}
			path += fmt.Sprintf("[%d]", a.Len-1)
			of = a.Elem
		}
		switch of := of.(type) {
		case *tree.Struct:
			out = append(out, leaves(of, path)...)
		case *tree.Integer:
			out = append(out, path)
		}
	}
	return out
}
