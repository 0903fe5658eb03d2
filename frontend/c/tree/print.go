package tree

import (
	"fmt"
	"strconv"
	"strings"
)

// String is the whole program in C's syntax, with its types' layout and what is known of its objects in comments.
func (p *Program) String() string {
	out := &printer{}
	for _, s := range p.Structs {
		out.line("%s { // size %d, align %d", s, s.Size(), s.Align())
		out.depth++
		for _, f := range s.Fields {
			if f.Bits > 0 {
				out.line("%s : %d; // at %d, bit %d", Declaration(f.Type, f.Name), f.Bits, f.Offset, f.Shift)
			} else {
				out.line("%s; // at %d", Declaration(f.Type, f.Name), f.Offset)
			}
		}
		out.depth--
		out.line("};")
	}
	for _, o := range p.Globals {
		out.line("%s%s;%s", Declaration(o.Type, o.Unique), initials(o.Init), remarks(o))
	}
	for _, f := range p.Functions {
		params := make([]string, len(f.Params))
		for i, o := range f.Params {
			params[i] = Declaration(o.Type, o.Unique) + remarks(o)
		}
		if f.Body == nil {
			out.line("%s;", Declaration(f.Type, f.Name))
			continue
		}
		out.line("%s // %s", Declaration(f.Type, f.Name), strings.Join(params, ", "))
		out.statement(f.Body)
	}
	return out.String()
}

func remarks(o *Object) string {
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

func initials(is []Initial) string {
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
			parts[i] += value(x.Value)
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
func (p *printer) inner(s Statement) {
	p.depth++
	p.statement(s)
	p.depth--
}

func (p *printer) statement(s Statement) {
	switch s := s.(type) {
	case *Block:
		p.line("{")
		for _, x := range s.Statements {
			p.inner(x)
		}
		p.line("}")
	case *Evaluate:
		p.line("%s;", value(s.Value))
	case *Declare:
		text := Declaration(s.Object.Type, s.Object.Unique)
		if a, ok := s.Object.Type.(*Array); ok && a.Count != nil {
			text += " /* " + value(a.Count) + " elements */"
		}
		if s.Initialized && s.Init == nil {
			text += " = {}"
		}
		p.line("%s%s;%s", text, initials(s.Init), remarks(s.Object))
	case *If:
		p.line("if (%s)", value(s.Test))
		p.inner(s.Then)
		if s.Else != nil {
			p.line("else")
			p.inner(s.Else)
		}
	case *While:
		p.line("while (%s)", value(s.Test))
		p.inner(s.Body)
	case *DoWhile:
		p.line("do")
		p.inner(s.Body)
		p.line("while (%s);", value(s.Test))
	case *For:
		p.line("for")
		p.depth++
		for _, i := range s.Init {
			p.statement(i)
		}
		p.depth--
		test, step := "", ""
		if s.Test != nil {
			test = value(s.Test)
		}
		if s.Step != nil {
			step = value(s.Step)
		}
		p.line("(%s; %s)", test, step)
		p.inner(s.Body)
	case *Switch:
		p.line("switch (%s)", value(s.Tag))
		p.inner(s.Body)
	case *Case:
		switch {
		case s.Low == nil:
			p.line("default:")
		case s.Low.Cmp(s.High) == 0:
			p.line("case %s:", s.Low)
		default:
			p.line("case %s ... %s:", s.Low, s.High)
		}
		p.inner(s.Statement)
	case *Label:
		p.line("%s:", s.Name)
		p.inner(s.Statement)
	case *Goto:
		p.line("goto %s;", s.Target.Name)
	case *Break:
		p.line("break;")
	case *Continue:
		p.line("continue;")
	case *Return:
		if s.Value == nil {
			p.line("return;")
		} else {
			p.line("return %s;", value(s.Value))
		}
	case *Assembly:
		memory := ""
		if s.Memory {
			memory = ", memory"
		}
		p.line("asm(%s : %s%s);", join(s.Outputs, place), join(s.Inputs, value), memory)
	case *Empty:
		p.line(";")
	case *Unsupported:
		p.line("<unsupported: %s>", s.What)
	}
}

func join[T any](xs []T, text func(T) string) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = text(x)
	}
	return strings.Join(parts, ", ")
}

func place(p Place) string {
	switch p := p.(type) {
	case *Use:
		if p.Object.Unique != "" {
			return p.Object.Unique
		}
		return p.Object.Name
	case *Dereference:
		return "*" + value(p.Pointer)
	case *Member:
		if d, ok := p.Struct.(*Dereference); ok {
			return value(d.Pointer) + "->" + p.Field.Name
		}
		return place(p.Struct) + "." + p.Field.Name
	case *Element:
		if d, ok := p.Array.(*Dereference); ok {
			return "(" + place(d) + ")[" + value(p.Index) + "]"
		}
		return place(p.Array) + "[" + value(p.Index) + "]"
	case *Temporary:
		return "temporary(" + value(p.Init) + ")"
	case *CompoundLiteral:
		return "(" + p.Declaration.Object.Type.String() + ")" + strings.TrimPrefix(initials(p.Declaration.Init), " = ")
	}
	return fmt.Sprintf("%T", p)
}

func value(v Value) string {
	switch v := v.(type) {
	case *Constant:
		if i, ok := v.T.(*Integer); ok {
			if i.Name == "int" {
				return v.Int.String()
			}
			return fmt.Sprintf("(%s)%s", i.Name, v.Int)
		}
		return fmt.Sprintf("(%s)%s", v.T, v.Int)
	case *FloatConstant:
		return fmt.Sprintf("(%s)%s", v.T, v.Text)
	case *Load:
		return place(v.Place)
	case *Address:
		if v.Decay {
			return "&" + place(v.Place) + "[0]"
		}
		return "&" + place(v.Place)
	case *FunctionAddress:
		return "&" + v.Function.Name
	case *Unary:
		return v.Op.String() + value(v.X)
	case *Binary:
		return fmt.Sprintf("(%s %s %s)", value(v.X), v.Op, value(v.Y))
	case *PointerSum:
		op := "+"
		if v.Minus {
			op = "-"
		}
		return fmt.Sprintf("(%s %s %s)", value(v.P), op, value(v.Count))
	case *PointerDifference:
		return fmt.Sprintf("(%s - %s)", value(v.X), value(v.Y))
	case *Logical:
		op := "&&"
		if v.Or {
			op = "||"
		}
		return fmt.Sprintf("(%s %s %s)", value(v.X), op, value(v.Y))
	case *Conditional:
		if v.Then == nil {
			return fmt.Sprintf("(%s ?: %s)", value(v.Test), value(v.Else))
		}
		return fmt.Sprintf("(%s ? %s : %s)", value(v.Test), value(v.Then), value(v.Else))
	case *Comma:
		return fmt.Sprintf("(%s, %s)", value(v.First), value(v.Second))
	case *Assign:
		return fmt.Sprintf("(%s = %s)", place(v.Place), value(v.Value))
	case *Update:
		if v.Post {
			return fmt.Sprintf("(%s [%s %s in %s])", place(v.Place), v.Spelled, value(v.Operand), v.Compute)
		}
		return fmt.Sprintf("([%s in %s] %s, %s)", v.Spelled, v.Compute, place(v.Place), value(v.Operand))
	case *Call:
		callee := ""
		if v.Function != nil {
			callee = v.Function.Name
		} else {
			callee = "(*" + value(v.Callee) + ")"
		}
		return callee + "(" + join(v.Arguments, value) + ")"
	case *Convert:
		return fmt.Sprintf("(%s)%s", v.T, value(v.X))
	case *StatementValue:
		p := &printer{}
		p.statement(v.Block)
		text := strings.Join(strings.Fields(p.String()), " ")
		if v.Result != nil {
			text += " " + value(v.Result)
		}
		return "(" + text + ")"
	case *SizeOf:
		return "sizeof(" + v.Of.String() + ")"
	case *UnsupportedValue:
		return "<unsupported: " + v.What + ">"
	}
	return fmt.Sprintf("%T", v)
}
