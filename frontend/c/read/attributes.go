package read

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// attributes are those of __attribute__ that change what a program means.
type attributes struct {
	packed bool
	// packedEnum is packed between enum and its tag, which package source writes before the enum as Packed.
	packedEnum bool
	noReturn   bool
	aligned    int64 // 0 if it is not given
	mode       string
	vector     int64 // the bytes of a vector type, 0 if there is none
	// weak is set for a symbol that another definition may replace, and that may be missing.
	weak bool
	// transparent is set for a union that is passed like any of its members.
	transparent bool
	// other is an attribute that changes what a program does and cannot be handled.
	other string
	// alias is the symbol of the function or object that a declaration names once more.
	alias string
	// constructor is the priority of a function that runs before main; 0 stands for none.
	constructor int64
}

// add takes over what the others have.
func (a *attributes) add(b attributes) {
	a.packed, a.packedEnum = a.packed || b.packed, a.packedEnum || b.packedEnum
	a.noReturn = a.noReturn || b.noReturn
	a.weak = a.weak || b.weak
	a.transparent = a.transparent || b.transparent
	a.vector = max(a.vector, b.vector)
	if b.other != "" {
		a.other = b.other
	}
	if b.alias != "" {
		a.alias = b.alias
	}
	a.aligned = max(a.aligned, b.aligned)
	a.constructor = max(a.constructor, b.constructor)
	if b.mode != "" {
		a.mode = b.mode
	}
}

// attributeList reads a list of attribute specifiers.
func (r *reader) attributeList(n *cc.AttributeSpecifierList) attributes {
	var a attributes
	for ; n != nil; n = n.AttributeSpecifierList {
		s := n.AttributeSpecifier
		if s == nil {
			continue
		}
		count := 0
		for l := s.AttributeValueList; l != nil; l = l.AttributeValueList {
			count++
			r.attribute(l.AttributeValue, &a)
		}
		if count == 2 {
			// The parser keeps only the first and the last of more than two.
			a.add(r.attributesOf(string(r.source.Between(r.physical(s.Token3.Position()), r.physical(s.Token4.Position())))))
		}
	}
	return a
}

// attributeArgument is the first argument of an attribute; nil if there is none.
func attributeArgument(n *cc.AttributeValue) cc.ExpressionNode {
	if n.Case != cc.AttributeValueExpr || n.ArgumentExpressionList == nil {
		return nil
	}
	return n.ArgumentExpressionList.AssignmentExpression
}

// attribute adds one attribute to those of a declaration.
func (r *reader) attribute(n *cc.AttributeValue, a *attributes) {
	if n == nil {
		return
	}
	switch strings.Trim(n.Token.SrcStr(), "_") {
	case "packed":
		a.packed = true
	case "Packed":
		a.packedEnum = true
	case "noreturn", "Noreturn":
		a.noReturn = true
	case "weak":
		a.weak = true
	case "vector_size":
		if argument := attributeArgument(n); argument != nil {
			size, ok := r.evaluate(r.rvalue(argument))
			if !ok || !size.IsInt64() || size.Int64() < 1 || size.Int64() > 1<<20 || size.Int64()&(size.Int64()-1) != 0 {
				r.Fail(r.pos(n), "the size of a vector is not a power of two that is known here")
			}
			a.vector = size.Int64()
		}
	case "transparent_union":
		a.transparent = true
	case "constructor":
		a.constructor = latest
		if argument := attributeArgument(n); argument != nil {
			priority, ok := r.evaluate(r.rvalue(argument))
			if !ok || !priority.IsInt64() || priority.Int64() < 0 || priority.Int64() >= latest {
				r.Fail(r.pos(n), "the priority of a constructor is not a number from 0 to 65535")
			}
			a.constructor = priority.Int64() + 1
		}
	case "cleanup", "destructor", "ifunc", "weakref", "scalar_storage_order", "ms_struct":
		a.other = strings.Trim(n.Token.SrcStr(), "_")
	case "alias":
		if argument := attributeArgument(n); argument != nil {
			if p, ok := argument.(*cc.PrimaryExpression); ok {
				a.alias = strings.Trim(p.Token.SrcStr(), `"`)
			}
		}
	case "aligned":
		r.aligned = true
		a.aligned = max(a.aligned, 16)
		if argument := attributeArgument(n); argument != nil {
			value := r.rvalue(argument)
			align, ok := r.evaluate(value)
			if !ok || !align.IsInt64() || align.Int64() < 1 || align.Int64() > 1<<28 || new(big.Int).And(align, new(big.Int).Sub(align, big.NewInt(1))).Sign() != 0 {
				r.Fail(r.pos(n), "the alignment is not a power of two that is known here")
			}
			a.aligned = align.Int64()
		}
	case "mode":
		if argument := attributeArgument(n); argument != nil {
			if p, ok := argument.(*cc.PrimaryExpression); ok {
				a.mode = strings.Trim(p.Token.SrcStr(), "_")
			}
		}
	}
}

var (
	attributeWord = regexp.MustCompile(`[A-Za-z_]\w*(\s*\(\s*(\d+)\s*\))?`)
	quotedText    = regexp.MustCompile(`"[^"]*"`)
	aliasText     = regexp.MustCompile(`\balias(?:__)?\s*\(\s*"([^"]*)"`)
)

// attributesOf finds attributes in the text between the parentheses.
func (r *reader) attributesOf(text string) attributes {
	var a attributes
	if m := aliasText.FindStringSubmatch(strings.ReplaceAll(text, "__alias", "alias")); m != nil {
		a.alias = m[1]
	}
	for _, m := range attributeWord.FindAllStringSubmatch(quotedText.ReplaceAllString(text, ""), -1) {
		name, _, _ := strings.Cut(m[0], "(")
		switch strings.Trim(strings.TrimSpace(name), "_") {
		case "packed":
			a.packed = true
		case "Packed":
			a.packedEnum = true
		case "noreturn":
			a.noReturn = true
		case "weak":
			a.weak = true
		case "vector_size":
			if n, err := strconv.ParseInt(m[2], 10, 32); err == nil {
				a.vector = n
			}
		case "transparent_union":
			a.transparent = true
		case "constructor":
			a.constructor = latest
			if n, err := strconv.ParseInt(m[2], 10, 32); err == nil {
				a.constructor = min(n+1, latest)
			}
		case "cleanup", "destructor", "ifunc", "weakref", "scalar_storage_order", "ms_struct":
			a.other = strings.Trim(strings.TrimSpace(name), "_")
		case "aligned":
			r.aligned = true
			a.aligned = 16
			if n, err := strconv.ParseInt(m[2], 10, 32); err == nil {
				a.aligned = n
			}
		}
	}
	return a
}

// withVector is the type that __attribute__((vector_size(...))) makes of a type.
func (r *reader) withVector(pos tree.Pos, t tree.Type, size int64) tree.Type {
	switch e := t.(type) {
	case *tree.Integer, *tree.Float:
		if size%e.Size() == 0 && size > 0 {
			return r.types.vector(e, size)
		}
	case *tree.Pointer:
		return r.types.pointer(r.withVector(pos, e.Elem, size))
	case *tree.Array:
		return &tree.Array{Elem: r.withVector(pos, e.Elem, size), Len: e.Len, Count: e.Count}
	case *tree.FunctionType:
		f := *e
		f.Result = r.withVector(pos, e.Result, size)
		return &f
	case *tree.Struct:
		if e.Tag != "" && r.opaque(e) != "" {
			return r.types.vector(e, size) // of numbers that can't be computed with either
		}
	}
	r.Fail(pos, "a vector cannot have elements of type %s", t)
	return nil
}

// withMode is the type that __attribute__((mode(...))) makes of an integer type.
func (r *reader) withMode(pos tree.Pos, t tree.Type, mode string) tree.Type {
	i, ok := t.(*tree.Integer)
	if !ok {
		if f := r.floatMode(mode); f != nil && tree.IsFloat(t) {
			return f
		}
		r.Unsupported(pos, "the mode %s", mode)
	}
	signed := map[string]*tree.Integer{
		"QI": r.types.schar, "byte": r.types.schar, "HI": r.types.short, "SI": r.types.int, "DI": r.types.longLong,
		"TI": r.types.int128, "word": r.types.long, "pointer": r.types.long, "unwind_word": r.types.long,
	}
	unsigned := map[string]*tree.Integer{
		"QI": r.types.uchar, "byte": r.types.uchar, "HI": r.types.ushort, "SI": r.types.uint, "DI": r.types.ulongLong,
		"TI": r.types.uint128, "word": r.types.ulong, "pointer": r.types.ulong, "unwind_word": r.types.ulong,
	}
	if r.types.model.PointerBytes == 8 {
		signed["DI"], unsigned["DI"] = r.types.long, r.types.ulong
	}
	of := signed
	if !i.Signed {
		of = unsigned
	}
	if of[mode] == nil {
		r.Unsupported(pos, "the mode %s", mode)
	}
	return of[mode]
}

func (r *reader) floatMode(mode string) *tree.Float {
	switch mode {
	case "SF":
		return r.types.float
	case "DF":
		return r.types.double
	case "XF":
		return r.types.longDouble
	case "TF":
		return r.types.quad
	}
	return nil
}

// packing is a #pragma pack: from its place on, members of structs are aligned to at most that many bytes.
type packing struct {
	pos tree.Pos
	// most is 0 if there is no bound, and below 0 if the pragma was not understood.
	most  int64
	stack []int64
}

// pragma takes note of a pragma. Only pack and weak change what a program means.
func (r *reader) pragma(tokens []cc.Token) {
	words := source.Words(tokens)
	if len(words) == 2 && words[0] == "weak" {
		if r.weakNames == nil {
			r.weakNames = map[string]bool{}
		}
		r.weakNames[words[1]] = true
	}
	if len(words) == 0 || words[0] != "pack" {
		if len(words) > 0 && words[0] == "scalar_storage_order" {
			r.packings = append(r.packings, packing{pos: r.physical(tokens[0].Position()), most: -1})
		}
		return
	}
	var p packing
	if n := len(r.packings); n > 0 {
		p = r.packings[n-1]
	}
	p.pos = r.physical(tokens[0].Position())
	arguments := strings.FieldsFunc(strings.Join(words[1:], " "), func(c rune) bool { return strings.ContainsRune("(), ", c) })
	if len(arguments) == 0 {
		p.most = 0
	}
	for _, a := range arguments {
		switch n, err := strconv.ParseInt(a, 10, 32); {
		case a == "push":
			p.stack = append(append([]int64{}, p.stack...), p.most)
		case a == "pop" && len(p.stack) > 0:
			p.most, p.stack = p.stack[len(p.stack)-1], p.stack[:len(p.stack)-1]
		case err == nil && n >= 0 && n <= 16:
			p.most = n
		default:
			p.most = -1
		}
	}
	r.packings = append(r.packings, p)
}

// packed is the greatest alignment that members have in a record that begins at a place of the file that is read; 0 if there is no bound.
func (r *reader) packed(pos tree.Pos) int64 {
	most := int64(0)
	for _, p := range r.packings {
		if p.pos.File != pos.File || p.pos.Line <= pos.Line {
			most = p.most
		} else if p.pos.File == pos.File {
			break
		}
	}
	if most < 0 {
		r.Unsupported(r.source.Place(pos), "a pragma on the layout of structs")
	}
	return most
}
