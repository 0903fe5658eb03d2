// Package layouts writes random C programs in which objects overlap: anonymous and named unions and structs in each other,
// bit-fields, arrays of them, packed members, views of integers as bytes and shorts, and copies of all that by assignments,
// parameters, results, conditionals, initialisers and compound literals. It is for tests only.
package layouts

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Program is a C program without undefined behaviour for gcc -fwrapv -fno-strict-aliasing: the function compute gives a value
// for an input.
type Program struct {
	// Source has the types, objects and functions, compute among them: unsigned compute(int).
	Source string
	// Input is the argument that compute is asked for.
	Input int
	// late says that the input is known only behind the call of compute.
	late bool
}

// Printing is a program that prints what compute gives.
func (p Program) Printing() string {
	return fmt.Sprintf("#include <stdio.h>\n%s\nint main(void) { printf(\"%%u\\n\", compute(%d)); return 0; }\n", p.Source, p.Input)
}

// Checking is a program that is in error if what compute gives is related to the number by the operator: == or !=.
func (p Program) Checking(operator, number string) string {
	before, behind := fmt.Sprintf("x == %d", p.Input), "1"
	if p.late {
		before, behind = behind, before
	}
	return fmt.Sprintf(`extern int nd(void);
extern void reach_error(void);
%s
int main(void) {
  int x = nd();
  if (%s) {
    unsigned r = compute(x);
    if (%s && r %s %su) reach_error();
  }
  return 0;
}
`, p.Source, before, behind, operator, number)
}

// Observing is a program that hands what compute gives for an input to observe, and is in error if expected returns that.
func (p Program) Observing() string {
	return fmt.Sprintf(`extern int nd(void);
extern void observe(unsigned long long);
extern unsigned long long expected(void);
extern void reach_error(void);
%s
int main(void) {
  unsigned long long hash = compute(nd());
  observe(hash);
  if (hash == expected()) reach_error();
  return 0;
}
`, p.Source)
}

// field is a scalar in a record, or a record, by its path.
type field struct {
	path string
	of   *record // nil of a scalar
	typ  string  // of a scalar
	bits bool
	size int
}

// record is a struct or union that has a name.
type record struct {
	name string
	// fields are those of all depths, scalars the scalars among them.
	fields, scalars []field
}

type generator struct {
	t       *rapid.T
	b       strings.Builder
	records []*record
	names   int
	// objects are the variables of each record's type, in scope.
	objects map[*record][]string
	numbers []string
}

func (g *generator) upTo(n int) int             { return rapid.IntRange(0, n).Draw(g.t, "n") }
func (g *generator) pick(of ...string) string   { return rapid.SampledFrom(of).Draw(g.t, "pick") }
func (g *generator) line(f string, args ...any) { fmt.Fprintf(&g.b, f+"\n", args...) }

func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// Draw draws a program.
func Draw(t *rapid.T) Program {
	g := &generator{t: t, objects: map[*record][]string{}}
	g.line("typedef __SIZE_TYPE__ size_t;\nextern void *memcpy(void *, const void *, size_t);")
	for range 1 + g.upTo(1) {
		g.record()
	}
	for _, r := range g.records {
		g.globals(r)
	}
	for _, r := range g.records {
		g.functions(r)
	}
	g.compute()
	inputs := []int{0, 1, -1, 77, 258, -129, 65535, 305419896, -2147483648, 2147483647}
	return Program{g.b.String(), rapid.SampledFrom(inputs).Draw(t, "input"), rapid.Bool().Draw(t, "late")}
}

var sizes = map[string]int{
	"char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "long": 8, "unsigned long": 8,
}

func (g *generator) scalarType() string {
	return g.pick("char", "signed char", "unsigned char", "short", "unsigned short", "int", "int", "unsigned", "unsigned", "long", "unsigned long")
}

// record declares a struct or union with a tag.
func (g *generator) record() {
	r := &record{name: fmt.Sprintf("%s R%d", g.pick("struct", "struct", "struct", "union"), len(g.records))}
	text := g.members(r, 2, "")
	if !strings.Contains(text, "union") && !strings.HasPrefix(r.name, "union") {
		text += fmt.Sprintf("union { %s} ; ", g.members(r, 1, ""))
	}
	g.line("%s { %s}%s;", r.name, text, g.pick("", " __attribute__((packed))"))
	for _, f := range r.fields {
		if f.of == nil {
			r.scalars = append(r.scalars, f)
		}
	}
	g.records = append(g.records, r)
}

// members declares members; the path leads to them.
func (g *generator) members(r *record, depth int, path string) string {
	var b strings.Builder
	for range 2 + g.upTo(1) {
		name := g.name("m")
		kind := g.upTo(11)
		if depth == 0 {
			kind = min(kind, 5)
		}
		switch {
		case kind <= 2:
			t := g.scalarType()
			fmt.Fprintf(&b, "%s %s; ", t, name)
			r.fields = append(r.fields, field{path: path + name, typ: t, size: sizes[t]})
		case kind == 3:
			t := g.pick("char", "unsigned char", "short", "int", "unsigned")
			n := 2 + g.upTo(2)
			fmt.Fprintf(&b, "%s %s[%d]; ", t, name, n)
			for k := range n {
				r.fields = append(r.fields, field{path: fmt.Sprintf("%s%s[%d]", path, name, k), typ: t, size: sizes[t]})
			}
		case kind <= 5:
			t := g.pick("int", "unsigned", "unsigned", "short", "unsigned char", "_Bool")
			most := 8*max(sizes[t], 1) - 1
			if t == "_Bool" {
				most = 0
			}
			for range 1 + g.upTo(2) {
				name := g.name("b")
				fmt.Fprintf(&b, "%s %s : %d; ", t, name, 1+g.upTo(most))
				r.fields = append(r.fields, field{path: path + name, typ: t, bits: true})
			}
			if g.upTo(5) == 0 {
				fmt.Fprintf(&b, "unsigned : %s; ", g.pick("0", "0", "3"))
			}
		case kind <= 8: // without a name
			fmt.Fprintf(&b, "%s { %s}; ", g.pick("union", "union", "struct"), g.members(r, depth-1, path))
		case kind == 9 && len(g.records) > 0:
			inner := g.records[0]
			fmt.Fprintf(&b, "%s %s; ", inner.name, name)
			r.fields = append(r.fields, field{path: path + name, of: inner})
			for _, f := range inner.fields {
				f.path = path + name + "." + f.path
				r.fields = append(r.fields, f)
			}
		case kind == 10:
			from := len(r.fields)
			fmt.Fprintf(&b, "%s { %s} %s[2]; ", g.pick("union", "struct"), g.members(r, depth-1, path+name+"[0]."), name)
			for _, f := range r.fields[from:] {
				f.path = strings.Replace(f.path, name+"[0].", name+"[1].", 1)
				r.fields = append(r.fields, f)
			}
		default:
			fmt.Fprintf(&b, "%s { %s} %s; ", g.pick("union", "struct"), g.members(r, depth-1, path+name+"."), name)
		}
	}
	return b.String()
}

func (g *generator) globals(r *record) {
	one, many, fresh := g.name("g"), g.name("g"), g.name("g")
	g.line("static %s %s%s;", r.name, one, g.pick("", " = {0}", " = "+g.designated(r)))
	g.line("%s %s[2]%s;", r.name, many, g.pick("", " = {0}", " = {[1] = "+g.designated(r)+"}"))
	g.line("%s %s, *%sp = &%s;", r.name, fresh, fresh, g.pick(fresh, one, many+"[1]"))
	g.objects[r] = append(g.objects[r], one, many+"[0]", many+"[1]", fresh, "(*"+fresh+"p)")
}

// designated is an initialiser for a record, of parts that may replace each other.
func (g *generator) designated(r *record) string {
	var parts []string
	for range 1 + g.upTo(2) {
		parts = append(parts, fmt.Sprintf(".%s = %s", g.scalar(r).path, g.literal()))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (g *generator) scalar(r *record) field {
	return rapid.SampledFrom(r.scalars).Draw(g.t, "field")
}

func (g *generator) literal() string {
	return g.pick("0", "1", "2", "5", "-1", "127", "128", "255", "256", "-3", "65535", "0x12345678", "0x80000000u", "-2147483647", "0x1122334455667788")
}

func (g *generator) functions(r *record) {
	f := g.scalar(r)
	h := g.scalar(r)
	n := strings.ReplaceAll(r.name, " ", "_")
	g.line("static %s make_%s(int v) { %s s = {0}; s.%s = v; s.%s = v >> 3; return s; }", r.name, n, r.name, f.path, h.path)
	g.line("static %s pass_%s(%s s, int v) { s.%s = s.%s + v; return s; }", r.name, n, r.name, h.path, f.path)
	g.line("static unsigned read_%s(%s s) { return s.%s; }", n, r.name, g.scalar(r).path)
	g.line("static void put_%s(%s *s, int v) { s->%s = v; }", n, r.name, g.scalar(r).path)
}

// whole is an object of the type.
func (g *generator) whole(r *record) string {
	return rapid.SampledFrom(g.objects[r]).Draw(g.t, "object")
}

// place is a scalar that can be assigned.
func (g *generator) place() string {
	r := rapid.SampledFrom(g.records).Draw(g.t, "record")
	f := g.scalar(r)
	o := g.whole(r)
	switch k := g.upTo(7); {
	case k == 0 && !f.bits:
		return fmt.Sprintf("((unsigned char *)&%s.%s)[%d]", o, f.path, g.upTo(f.size-1))
	case k == 1 && f.size >= 4:
		return fmt.Sprintf("((unsigned short *)&%s.%s)[%d]", o, f.path, g.upTo(1))
	case k == 2 && !f.bits:
		return fmt.Sprintf("(*&%s.%s)", o, f.path)
	}
	return o + "." + f.path
}

// value is an integer.
func (g *generator) value(depth int) string {
	r := rapid.SampledFrom(g.records).Draw(g.t, "record")
	n := strings.ReplaceAll(r.name, " ", "_")
	switch k := g.upTo(10); {
	case k <= 1:
		return g.literal()
	case k <= 3:
		return rapid.SampledFrom(g.numbers).Draw(g.t, "number")
	case k == 4 && depth > 0:
		return fmt.Sprintf("((unsigned)%s %s (unsigned)%s)", g.value(depth-1), g.pick("+", "+", "-"), g.value(depth-1))
	case k == 5 && depth > 0:
		return fmt.Sprintf("((%s)%s)", g.scalarType(), g.value(depth-1))
	case k == 6:
		return fmt.Sprintf("read_%s(%s)", n, g.valueOf(r, 1))
	case k == 7:
		return fmt.Sprintf("make_%s(%s).%s", n, g.value(0), g.scalar(r).path)
	case k == 8:
		return fmt.Sprintf("pass_%s(%s, %s).%s", n, g.whole(r), g.value(0), g.scalar(r).path)
	}
	return g.place()
}

// valueOf is a value of the record's type.
func (g *generator) valueOf(r *record, depth int) string {
	n := strings.ReplaceAll(r.name, " ", "_")
	switch k := g.upTo(9); {
	case k == 0:
		return fmt.Sprintf("make_%s(%s)", n, g.value(0))
	case k == 1 && depth > 0:
		return fmt.Sprintf("pass_%s(%s, %s)", n, g.valueOf(r, depth-1), g.value(0))
	case k == 2:
		return fmt.Sprintf("(%s)%s", r.name, g.designated(r))
	case k == 3 && depth > 0:
		return fmt.Sprintf("(%s > 2 ? %s : %s)", g.value(0), g.valueOf(r, depth-1), g.whole(r))
	case k == 4 && depth > 0:
		return fmt.Sprintf("({ %s t = %s; t.%s = %s; t; })", r.name, g.valueOf(r, depth-1), g.scalar(r).path, g.value(0))
	case k == 5 && depth > 1: // not within arguments, whose order is open
		return fmt.Sprintf("(%s = %s)", g.whole(r), g.whole(r))
	}
	return g.whole(r)
}

func (g *generator) statement(depth int) {
	r := rapid.SampledFrom(g.records).Draw(g.t, "record")
	switch k := g.upTo(14); {
	case k == 13:
		g.line("  ((unsigned char *)&%s)[(unsigned)%s %% sizeof(%s)] = %s;", g.whole(r), g.pick("0", "1", "3", "6", "x"), r.name, g.value(0))
	case k <= 3:
		g.line("  %s = %s;", g.place(), g.value(2))
	case k <= 5:
		g.line("  %s = %s;", g.whole(r), g.valueOf(r, 2))
	case k == 6:
		g.line("  put_%s(&%s, %s);", strings.ReplaceAll(r.name, " ", "_"), g.whole(r), g.value(1))
	case k == 7:
		g.line("  memcpy(&%s, &%s, sizeof(%s));", g.objects[r][0], g.objects[r][len(g.objects[r])-1], r.name)
	case k == 8:
		g.line("  %s %s %s;", g.place(), g.pick("+=", "-=", "^=", "|="), g.value(0))
	case k == 9:
		g.line("  %s%s;", g.place(), g.pick("++", "--"))
	case k == 10:
		var inner []string
		for _, f := range r.fields {
			if f.of != nil {
				inner = append(inner, f.path)
			}
		}
		if len(inner) == 0 {
			g.line("  *%s = %s;", "(&"+g.whole(r)+")", g.valueOf(r, 1))
			return
		}
		of := g.records[0]
		g.line("  %s.%s = %s;", g.whole(r), rapid.SampledFrom(inner).Draw(g.t, "inner"), g.valueOf(of, 1))
	case k == 11 && depth > 0:
		g.line("  if (%s > %s) {", g.value(1), g.pick("0", "3", "100"))
		g.statement(depth - 1)
		g.line("  }")
	case k == 12 && depth > 0:
		i := g.name("i")
		many := strings.TrimSuffix(g.objects[r][1], "[0]")
		g.line("  for (int %s = 0; %s < 2; %s++) {", i, i, i)
		g.line("    %s[%s].%s = %s;", many, i, g.scalar(r).path, g.value(1))
		g.statement(depth - 1)
		g.line("  }")
	default:
		v := g.name("v")
		g.line("  int %s = %s;", v, g.value(1))
		if depth > 1 { // not in a block
			g.numbers = append(g.numbers, v)
		}
	}
}

func (g *generator) compute() {
	g.line("unsigned compute(int x) {")
	g.numbers = []string{"x"}
	for _, r := range g.records {
		a, b := g.name("s"), g.name("s")
		g.line("  %s %s = %s;", r.name, a, g.pick("{0}", g.designated(r)))
		g.line("  %s %s = %s;", r.name, b, g.pick("{0}", g.valueOf(r, 0)))
		g.objects[r] = append(g.objects[r], a, b)
		if g.upTo(1) == 0 {
			p := g.name("p")
			g.line("  %s *%s = %s;", r.name, p, g.pick("&"+a, "&"+b))
			g.objects[r] = append(g.objects[r], "(*"+p+")")
		}
	}
	for range 2 + g.upTo(4) {
		g.statement(2)
	}
	g.line("  unsigned r = %s;", g.place())
	for range g.upTo(2) {
		g.line("  r = r * 3 + %s;", g.place())
	}
	g.line("  return r;\n}")
}
