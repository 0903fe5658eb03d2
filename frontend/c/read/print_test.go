package read

import (
	"fmt"
	"strconv"
	"strings"

	"hornbeam/frontend/c/tree"
)

// printed is the whole program in C's syntax, with its types' layout and what is known of its objects in comments.
func printed(p *tree.Program) string {
	out := &printer{}
	for _, s := range p.Structs {
		out.line("%s { // size %d, align %d", s, s.Size(), s.Align())
		out.depth++
		for _, f := range s.Fields {
			if f.Bits > 0 {
				out.line("%s : %d; // at %d, bit %d", tree.Declaration(f.Type, f.Name), f.Bits, f.Offset, f.Shift)
			} else {
				out.line("%s; // at %d", tree.Declaration(f.Type, f.Name), f.Offset)
			}
		}
		out.depth--
		out.line("};")
	}
	for _, o := range p.Globals {
		out.line("%s%s;%s", tree.Declaration(o.Type, o.Unique), initialsOf(o.Init), remarksOf(o))
	}
	for _, f := range p.Functions {
		params := make([]string, len(f.Params))
		for i, o := range f.Params {
			params[i] = tree.Declaration(o.Type, o.Unique) + remarksOf(o)
		}
		if f.Body == nil {
			out.line("%s;", tree.Declaration(f.Type, f.Name))
			continue
		}
		out.line("%s // %s", tree.Declaration(f.Type, f.Name), strings.Join(params, ", "))
		out.statement(f.Body)
	}
	return out.String()
}

func remarksOf(o *tree.Object) string {
	var out []string
	for _, r := range []struct {
		is   bool
		word string
	}{{o.External, "external"}, {o.Const, "const"}, {o.Volatile, "volatile"}, {o.Escapes, "escapes"}, {o.Written, "written"}} {
		if r.is {
			out = append(out, r.word)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " /* " + strings.Join(out, ", ") + " */"
}

func initialsOf(is []tree.Initial) string {
	if is == nil {
		return ""
	}
	parts := make([]string, len(is))
	for i, x := range is {
		for _, s := range x.Path {
			if s.Field != nil {
				parts[i] += "." + s.Field.Name
			} else {
				parts[i] += fmt.Sprintf("[%d]", s.Index)
			}
		}
		if x.Repeat > 1 {
			parts[i] += fmt.Sprintf(" x %d", x.Repeat)
		}
		if len(x.Path) > 0 {
			parts[i] += fmt.Sprintf(" @%d = ", x.Offset)
		}
		if x.Bytes != nil {
			parts[i] += strconv.Quote(string(x.Bytes))
		} else {
			parts[i] += valueText(x.Value)
		}
	}
	return " = {" + strings.Join(parts, ", ") + "}"
}

// printer writes indented lines.
type printer struct {
	strings.Builder
	depth int
}

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.Repeat("\t", p.depth))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// inner writes a statement that is part of another one.
func (p *printer) inner(s tree.Statement) {
	p.depth++
	p.statement(s)
	p.depth--
}

func (p *printer) statement(s tree.Statement) {
	switch s := s.(type) {
	case *tree.Block:
		p.line("{")
		for _, x := range s.Statements {
			p.inner(x)
		}
		p.line("}")
	case *tree.Evaluate:
		p.line("%s;", valueText(s.Value))
	case *tree.Declare:
		text := tree.Declaration(s.Object.Type, s.Object.Unique)
		if a, ok := s.Object.Type.(*tree.Array); ok && a.Count != nil {
			text += " /* " + valueText(a.Count) + " elements */"
		}
		if s.Initialized && s.Init == nil {
			text += " = {}"
		}
		p.line("%s%s;%s", text, initialsOf(s.Init), remarksOf(s.Object))
	case *tree.If:
		p.line("if (%s)", valueText(s.Test))
		p.inner(s.Then)
		if s.Else != nil {
			p.line("else")
			p.inner(s.Else)
		}
	case *tree.While:
		p.line("while (%s)", valueText(s.Test))
		p.inner(s.Body)
	case *tree.DoWhile:
		p.line("do")
		p.inner(s.Body)
		p.line("while (%s);", valueText(s.Test))
	case *tree.For:
		p.line("for")
		p.depth++
		for _, i := range s.Init {
			p.statement(i)
		}
		p.depth--
		test, step := "", ""
		if s.Test != nil {
			test = valueText(s.Test)
		}
		if s.Step != nil {
			step = valueText(s.Step)
		}
		p.line("(%s; %s)", test, step)
		p.inner(s.Body)
	case *tree.Switch:
		p.line("switch (%s)", valueText(s.Tag))
		p.inner(s.Body)
	case *tree.Case:
		switch {
		case s.Low == nil:
			p.line("default:")
		case s.Low.Cmp(s.High) == 0:
			p.line("case %s:", s.Low)
		default:
			p.line("case %s ... %s:", s.Low, s.High)
		}
		p.inner(s.Statement)
	case *tree.Label:
		p.line("%s:", s.Name)
		p.inner(s.Statement)
	case *tree.Goto:
		p.line("goto %s;", s.Target.Name)
	case *tree.Break:
		p.line("break;")
	case *tree.Continue:
		p.line("continue;")
	case *tree.Return:
		if s.Value == nil {
			p.line("return;")
		} else {
			p.line("return %s;", valueText(s.Value))
		}
	case *tree.Assembly:
		memory := ""
		if s.Memory {
			memory = ", memory"
		}
		p.line("asm(%s : %s%s);", joined(s.Outputs, placeText), joined(s.Inputs, valueText), memory)
	case *tree.Empty:
		p.line(";")
	case *tree.Unsupported:
		p.line("<unsupported: %s>", s.What)
	}
}

func joined[T any](xs []T, text func(T) string) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = text(x)
	}
	return strings.Join(parts, ", ")
}

func placeText(p tree.Place) string {
	switch p := p.(type) {
	case *tree.Use:
		if p.Object.Unique != "" {
			return p.Object.Unique
		}
		return p.Object.Name
	case *tree.Dereference:
		return "*" + valueText(p.Pointer)
	case *tree.Member:
		if d, ok := p.Struct.(*tree.Dereference); ok {
			return valueText(d.Pointer) + "->" + p.Field.Name
		}
		return placeText(p.Struct) + "." + p.Field.Name
	case *tree.Element:
		if d, ok := p.Array.(*tree.Dereference); ok {
			return "(" + placeText(d) + ")[" + valueText(p.Index) + "]"
		}
		return placeText(p.Array) + "[" + valueText(p.Index) + "]"
	case *tree.Temporary:
		return "temporary(" + valueText(p.Init) + ")"
	case *tree.CompoundLiteral:
		return "(" + p.Declaration.Object.Type.String() + ")" + strings.TrimPrefix(initialsOf(p.Declaration.Init), " = ")
	}
	return fmt.Sprintf("%T", p)
}

func valueText(v tree.Value) string {
	switch v := v.(type) {
	case *tree.Constant:
		if i, ok := v.T.(*tree.Integer); ok {
			if i.Name == "int" {
				return v.Int.String()
			}
			return fmt.Sprintf("(%s)%s", i.Name, v.Int)
		}
		return fmt.Sprintf("(%s)%s", v.T, v.Int)
	case *tree.FloatConstant:
		return fmt.Sprintf("(%s)%s", v.T, v.Text)
	case *tree.Load:
		return placeText(v.Place)
	case *tree.Address:
		if v.Decay {
			return "&" + placeText(v.Place) + "[0]"
		}
		return "&" + placeText(v.Place)
	case *tree.FunctionAddress:
		return "&" + v.Function.Name
	case *tree.Unary:
		return v.Op.String() + valueText(v.X)
	case *tree.Binary:
		return fmt.Sprintf("(%s %s %s)", valueText(v.X), v.Op, valueText(v.Y))
	case *tree.PointerSum:
		op := "+"
		if v.Minus {
			op = "-"
		}
		return fmt.Sprintf("(%s %s %s)", valueText(v.P), op, valueText(v.Count))
	case *tree.PointerDifference:
		return fmt.Sprintf("(%s - %s)", valueText(v.X), valueText(v.Y))
	case *tree.Logical:
		op := "&&"
		if v.Or {
			op = "||"
		}
		return fmt.Sprintf("(%s %s %s)", valueText(v.X), op, valueText(v.Y))
	case *tree.Conditional:
		if v.Then == nil {
			return fmt.Sprintf("(%s ?: %s)", valueText(v.Test), valueText(v.Else))
		}
		return fmt.Sprintf("(%s ? %s : %s)", valueText(v.Test), valueText(v.Then), valueText(v.Else))
	case *tree.Comma:
		return fmt.Sprintf("(%s, %s)", valueText(v.First), valueText(v.Second))
	case *tree.Assign:
		return fmt.Sprintf("(%s = %s)", placeText(v.Place), valueText(v.Value))
	case *tree.Update:
		if v.Post {
			return fmt.Sprintf("(%s [%s %s in %s])", placeText(v.Place), v.Spelled, valueText(v.Operand), v.Compute)
		}
		return fmt.Sprintf("([%s in %s] %s, %s)", v.Spelled, v.Compute, placeText(v.Place), valueText(v.Operand))
	case *tree.Call:
		callee := ""
		if v.Function != nil {
			callee = v.Function.Name
		} else {
			callee = "(*" + valueText(v.Callee) + ")"
		}
		return callee + "(" + joined(v.Arguments, valueText) + ")"
	case *tree.Convert:
		return fmt.Sprintf("(%s)%s", v.T, valueText(v.X))
	case *tree.StatementValue:
		p := &printer{}
		p.statement(v.Block)
		text := strings.Join(strings.Fields(p.String()), " ")
		if v.Result != nil {
			text += " " + valueText(v.Result)
		}
		return "(" + text + ")"
	case *tree.SizeOf:
		return "sizeof(" + v.Of.String() + ")"
	case *tree.UnsupportedValue:
		return "<unsupported: " + v.What + ">"
	}
	return fmt.Sprintf("%T", v)
}
