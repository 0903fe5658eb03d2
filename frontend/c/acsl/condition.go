package acsl

import (
	"slices"
	"strings"

	"hornbeam/frontend/c/tree"
)

// The kinds of words.
const (
	name = iota
	number
	literal
	sign
	end
)

type word struct {
	kind int
	text string
	pos  tree.Pos
}

// signs are the operators, longer ones first.
var signs = []string{"<==>", "==>", "<->", "-->", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "->", ".."}

// scan splits a text into words. An @ is white space.
func scan(text string, at tree.Pos) []word {
	var out []word
	line, start := at.Line, 1-at.Column
	letter := func(c byte) bool {
		return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80 || '0' <= c && c <= '9'
	}
	for i := 0; i < len(text); {
		c := text[i]
		from := i
		w := word{pos: tree.Pos{File: at.File, Line: line, Column: i - start + 1}}
		switch {
		case c == '\n':
			i++
			line, start = line+1, i
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '@':
			i++
			continue
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case strings.HasPrefix(text[i:], "/*"):
			for i += 2; i < len(text) && !strings.HasPrefix(text[i:], "*/"); i++ {
				if text[i] == '\n' {
					line, start = line+1, i+1
				}
			}
			i = min(i+2, len(text))
			continue
		case '0' <= c && c <= '9':
			for i < len(text) && (letter(text[i]) || text[i] == '.' && !strings.HasPrefix(text[i:], "..")) {
				i++
			}
			w.kind = number
		case letter(c) || c == '\\':
			for i++; i < len(text) && letter(text[i]); i++ {
			}
			w.kind = name
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(text))
			w.kind = literal
		default:
			w.kind = sign
			i++
			if k := slices.IndexFunc(signs, func(s string) bool { return strings.HasPrefix(text[from:], s) }); k >= 0 {
				i = from + len(signs[k])
			}
		}
		w.text = text[from:i]
		out = append(out, w)
	}
	return out
}

// parser reads conditions.
type parser struct {
	words  []word
	at     int
	isType func(string) bool
	bound  []variable
	// machine says that integers are those of the machine, as in C.
	machine bool
	// keeping counts what is around that is kept of a function's beginning, and valid says that a condition is about the validity of
	// pointers.
	keeping int
	valid   bool
}

// variable is one of a quantifier, with its type in C.
type variable struct{ name, typ string }

func (p *parser) ended() bool { return p.at >= len(p.words) }

func (p *parser) peek() word {
	if p.ended() {
		w := word{kind: end}
		if n := len(p.words); n > 0 {
			w.pos = p.words[n-1].pos
		}
		return w
	}
	return p.words[p.at]
}

func (p *parser) next() word { w := p.peek(); p.at++; return w }

func (p *parser) accept(text string) bool {
	if !p.ended() && p.words[p.at].text == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		panic(missing("%q where %q is expected", p.peek().text, text))
	}
}

// expression is an expression of C. ACSL computes with integers that have no bounds, for which those of 64 bits stand: wide says that this
// one is computed with them.
type expression struct {
	text string
	wide bool
}

// operand is an expression as it is computed with.
func (p *parser) operand(e expression) string {
	if e.wide || p.machine {
		return e.text
	}
	return "__CONTRACT_integer(" + e.text + ")"
}

func truth(text string) expression { return expression{text: "(" + text + ")"} }

// predicate reads a condition.
func (p *parser) predicate() expression {
	if w := p.peek().text; w == `\forall` || w == `\exists` {
		return p.quantified()
	}
	test := p.binary(0)
	if !p.accept("?") {
		return test
	}
	then := p.predicate()
	p.expect(":")
	other := p.predicate()
	return expression{"(" + test.text + " ? " + p.operand(then) + " : " + p.operand(other) + ")", true}
}

// quantified reads a quantified condition.
func (p *parser) quantified() expression {
	function := map[string]string{`\forall`: "__CONTRACT_forall", `\exists`: "__CONTRACT_exists"}[p.next().text]
	bound := len(p.bound)
	for {
		typ := "long long"
		if p.accept("boolean") {
			typ = "_Bool"
		} else if !p.accept("integer") {
			typ = p.typeName()
		}
		if strings.Contains(typ, "*") || strings.Contains(typ, "struct") || strings.Contains(typ, "union") {
			panic(missing("a quantifier over the type %s", typ))
		}
		p.bound = append(p.bound, variable{p.next().text, typ})
		for p.accept(",") {
			if w := p.peek().text; p.at+1 < len(p.words) && p.words[p.at+1].kind == name && p.beginsType(w) {
				break // another type
			}
			p.bound = append(p.bound, variable{p.next().text, typ})
		}
		if p.accept(";") {
			break
		}
	}
	text := p.predicate().text
	for _, v := range slices.Backward(p.bound[bound:]) {
		text = function + `("` + v.name + `", ` + text + ")"
	}
	p.bound = p.bound[:bound]
	return expression{text: text}
}

// levels are the binary operators by their precedence, least first.
var levels = [][]string{
	{"<==>"}, {"==>"}, {"^^"}, {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!=", "<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

const (
	equivalence = 0
	implication = 1
	exclusive   = 2
	conjunction = 4
	comparison  = 8
)

func (p *parser) binary(level int) expression {
	if level == len(levels) {
		return p.unary()
	}
	if w := p.peek().text; w == `\forall` || w == `\exists` {
		return p.quantified()
	}
	x := p.binary(level + 1)
	if level == comparison {
		return p.comparisons(x)
	}
	for slices.Contains(levels[level], p.peek().text) {
		op := p.next().text
		switch {
		case level == implication:
			y := p.binary(implication)
			x = truth("!(" + x.text + ") || (" + y.text + ")")
		case level == equivalence:
			x = truth("!(" + x.text + ") == !(" + p.binary(level+1).text + ")")
		case level == exclusive:
			x = truth("!(" + x.text + ") != !(" + p.binary(level+1).text + ")")
		case level <= conjunction:
			x = truth("(" + x.text + ") " + op + " (" + p.binary(level+1).text + ")")
		default:
			x = expression{"(" + p.operand(x) + " " + op + " " + p.operand(p.binary(level+1)) + ")", true}
		}
	}
	return x
}

// comparisons reads a chain of comparisons: a <= b < c says that a <= b and b < c.
func (p *parser) comparisons(x expression) expression {
	var parts []string
	for slices.Contains(levels[comparison], p.peek().text) {
		op := p.next().text
		y := p.binary(comparison + 1)
		parts = append(parts, "("+p.operand(x)+" "+op+" "+p.operand(y)+")")
		x = y
	}
	if len(parts) == 0 {
		return x
	}
	return truth(strings.Join(parts, " && "))
}

func (p *parser) unary() expression {
	switch w := p.peek(); {
	case w.text == "!":
		p.at++
		return truth("!(" + p.unary().text + ")")
	case w.text == "-" || w.text == "+" || w.text == "~":
		p.at++
		return expression{"(" + w.text + p.operand(p.unary()) + ")", true}
	case w.text == "*" || w.text == "&":
		p.at++
		return expression{text: "(" + w.text + p.unary().text + ")"}
	case w.text == "(" && p.at+1 < len(p.words) && p.beginsType(p.words[p.at+1].text):
		p.at++
		t := p.typeName()
		p.expect(")")
		return expression{"((" + t + ")" + p.unary().text + ")", t == "long long"}
	case w.text == "sizeof":
		p.at++
		p.expect("(")
		if !p.beginsType(p.peek().text) {
			panic(missing("sizeof of an expression"))
		}
		t := p.typeName()
		p.expect(")")
		return expression{text: "sizeof(" + t + ")"}
	}
	return p.postfix()
}

func (p *parser) postfix() expression {
	x := p.primary()
	for {
		switch {
		case p.accept("["):
			index := p.predicate()
			if p.peek().text == ".." {
				panic(missing("a range of elements"))
			}
			p.expect("]")
			x = expression{text: x.text + "[" + index.text + "]"}
		case p.peek().text == "." || p.peek().text == "->":
			op := p.next().text
			x = expression{text: x.text + op + p.next().text}
		case p.peek().text == "(":
			panic(missing("the call of %s", x.text))
		default:
			return x
		}
	}
}

func (p *parser) primary() expression {
	w := p.next()
	for _, v := range slices.Backward(p.bound) {
		if v.name == w.text && v.typ == "long long" {
			return expression{`__CONTRACT_variable("` + w.text + `", 0LL)`, true}
		} else if v.name == w.text {
			return expression{text: `__CONTRACT_variable("` + w.text + `", (` + v.typ + `)0)`}
		}
	}
	switch {
	case w.kind == number || w.kind == literal:
		return expression{text: w.text}
	case w.text == "(":
		x := p.predicate()
		p.expect(")")
		return expression{"(" + x.text + ")", x.wide}
	case w.kind != name:
		if w.kind == end {
			panic(missing("the end where a condition is expected"))
		}
		panic(missing("%q", w.text))
	case w.text == "__CPROVER_return_value":
		return expression{text: "__CONTRACT_result()"}
	case w.text == "__CPROVER_old" && p.accept("("):
		p.keeping++
		x := p.predicate()
		p.keeping--
		p.expect(")")
		return expression{text: "__CONTRACT_old(" + x.text + ")"}
	case strings.HasPrefix(w.text, "__CPROVER_"):
		panic(missing("%s", w.text))
	case !strings.HasPrefix(w.text, `\`):
		return expression{text: w.text}
	}
	switch w.text {
	case `\true`:
		return expression{text: "1"}
	case `\false`:
		return expression{text: "0"}
	case `\null`:
		return expression{text: "((void *)0)"}
	case `\result`:
		return expression{text: "__CONTRACT_result()"}
	case `\old`, `\at`:
		p.expect("(")
		p.keeping++
		x := p.predicate()
		p.keeping--
		label := "Pre"
		if w.text == `\at` {
			p.expect(",")
			label = p.next().text
		}
		p.expect(")")
		switch label {
		case "Here":
			return x
		case "Pre", "Old":
			return expression{"__CONTRACT_old(" + x.text + ")", x.wide}
		}
		panic(missing("the label %s", label))
	case `\valid`, `\valid_read`:
		return p.validity(w.text)
	case `\min`, `\max`:
		p.expect("(")
		x := p.operand(p.predicate())
		p.expect(",")
		y := p.operand(p.predicate())
		p.expect(")")
		op := map[string]string{`\min`: " < ", `\max`: " > "}[w.text]
		return expression{"(" + x + op + y + " ? " + x + " : " + y + ")", true}
	case `\abs`:
		p.expect("(")
		x := p.operand(p.predicate())
		p.expect(")")
		return expression{"(" + x + " < 0 ? -" + x + " : " + x + ")", true}
	}
	panic(missing("%s", w.text))
}

// plain are the words that types of C are made of.
var plain = strings.Fields("void char short int long float double signed unsigned _Bool struct union enum const volatile integer boolean __int128")

func (p *parser) beginsType(word string) bool { return slices.Contains(plain, word) || p.isType(word) }

// typeName reads the name of a type as far as casts have them: words and stars.
func (p *parser) typeName() string {
	var words []string
	for p.beginsType(p.peek().text) || len(words) > 0 && slices.Contains([]string{"struct", "union", "enum"}, words[len(words)-1]) {
		words = append(words, p.next().text)
	}
	for p.accept("*") {
		words = append(words, "*")
	}
	switch t := strings.Join(words, " "); t {
	case "integer":
		return "long long"
	case "boolean":
		return "int"
	case "":
		panic(missing("the type %s", p.peek().text))
	default:
		return t
	}
}
