package read

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// pendingGoto is a goto whose label is looked for at the end of the function.
type pendingGoto struct {
	*tree.Goto
	name, key string
}

// localLabels declares the labels that a block begins with by __label__, and returns what ends their scope. A label of the same
// name around the block is another one.
func (r *reader) localLabels(n *cc.CompoundStatement) func() {
	local := map[string]string{}
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		if l.BlockItem == nil || l.BlockItem.Case != cc.BlockItemLabel || l.BlockItem.LabelDeclaration == nil {
			continue
		}
		for i := l.BlockItem.LabelDeclaration.IdentifierList; i != nil; i = i.IdentifierList {
			for _, t := range []cc.Token{i.Token, i.Token2} {
				if name := t.SrcStr(); name != "" && name != "," {
					r.function.localLabels++
					local[name] = fmt.Sprintf("%s %d", name, r.function.localLabels)
				}
			}
		}
	}
	if len(local) == 0 {
		return func() {}
	}
	r.function.local = append(r.function.local, local)
	return func() { r.function.local = r.function.local[:len(r.function.local)-1] }
}

// labelKey is what a label is known by where the name is used.
func (f *functionState) labelKey(name string) string {
	for _, local := range slices.Backward(f.local) {
		if key, ok := local[name]; ok {
			return key
		}
	}
	return name
}

// block reads a compound statement; scoped tells whether it is a scope of its own.
func (r *reader) block(n *cc.CompoundStatement, scoped bool) *tree.Block {
	if scoped {
		r.push()
		defer r.pop()
	}
	defer r.localLabels(n)()
	b := &tree.Block{At: r.at(n.Token), End: r.pos(n.Token2)}
	var previous *cc.BlockItem
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		r.checkTime()
		if l.BlockItem != nil {
			b.Statements = append(b.Statements, r.annotationsBefore(previous, l.BlockItem.Position())...)
			previous = l.BlockItem
		}
		b.Statements = append(b.Statements, r.blockItem(l.BlockItem)...)
	}
	b.Statements = append(b.Statements, r.annotationsBefore(previous, n.Token2.Position())...)
	return b
}

func (r *reader) blockItem(n *cc.BlockItem) []tree.Statement {
	if n == nil {
		return nil
	}
	switch n.Case {
	case cc.BlockItemDecl:
		if isFunctionName(n.Declaration) {
			return nil
		}
		r.declaring = r.pos(n.Declaration)
		return r.declaration(n.Declaration)
	case cc.BlockItemStmt:
		return append([]tree.Statement{r.statement(n.Statement)}, r.leftLengths(n)...)
	case cc.BlockItemFuncDef:
		r.nestedFunction(n)
		return nil
	}
	return nil // local labels are labels
}

// leftLengths are declarations of lengths that occur in an expression, in a cast to a pointer to an array for instance:
// there is no place for them.
func (r *reader) leftLengths(n *cc.BlockItem) []tree.Statement {
	if len(r.lengths) == 0 {
		return nil
	}
	r.lengths = nil
	return []tree.Statement{&tree.Unsupported{At: r.at(n), What: "a type of variable size in an expression"}}
}

// isFunctionName tells whether a declaration is that of __func__, which the parser puts into every function.
func isFunctionName(n *cc.Declaration) bool {
	return n.Case == cc.DeclarationDecl && n.InitDeclaratorList != nil && n.InitDeclaratorList.InitDeclarator != nil &&
		n.InitDeclaratorList.InitDeclarator.Declarator.Name() == "__func__"
}

// nestedFunction reads over a function that is defined in another one: what uses it is unsupported.
func (r *reader) nestedFunction(n *cc.BlockItem) {
	s := r.specifiers(n.DeclarationSpecifiers)
	q := r.declarator(n.Declarator, s.qualified)
	pos := r.pos(n.Declarator.NameTok())
	if t, ok := q.Type.(*tree.FunctionType); ok {
		f := &tree.Function{Name: n.Declarator.Name(), Type: t, Pos: pos}
		r.nested[f] = true
		r.declare(f.Name, meaning{function: f})
	}
}

// statement reads a statement. Chains of else-if nest as deeply as they are long, which Go's stacks bear.
func (r *reader) statement(n *cc.Statement) tree.Statement {
	if n == nil {
		r.Fail(r.declaring, "a statement is missing")
	}
	switch n.Case {
	case cc.StatementLabeled:
		return r.labeled(n.LabeledStatement)
	case cc.StatementCompound:
		return r.block(n.CompoundStatement, true)
	case cc.StatementExpr:
		e := n.ExpressionStatement
		if e.ExpressionList == nil {
			return &tree.Empty{At: r.at(e.Token)}
		}
		at := r.at(e.ExpressionList)
		return &tree.Evaluate{At: at, Value: r.rvalueOrVoid(e.ExpressionList)}
	case cc.StatementSelection:
		return r.selection(n.SelectionStatement)
	case cc.StatementIteration:
		return r.iteration(n.IterationStatement)
	case cc.StatementJump:
		return r.jump(n.JumpStatement)
	case cc.StatementAsm:
		return r.assembly(n.AsmStatement.Asm)
	}
	r.Unsupported(r.pos(n), "this statement")
	return nil
}

// substatement reads a statement that is part of another one, and a scope.
func (r *reader) substatement(n *cc.Statement) tree.Statement {
	r.push()
	defer r.pop()
	return r.statement(n)
}

// rvalueOrVoid reads an expression whose value is dropped.
func (r *reader) rvalueOrVoid(n cc.ExpressionNode) tree.Value {
	o := r.expression(n)
	if o.place != nil && !complete(o.place.Type()) {
		return r.nothing(o.pos)
	}
	return r.valueOf(o)
}

// labeled reads labels and cases.
func (r *reader) labeled(n *cc.LabeledStatement) tree.Statement {
	at := r.at(n)
	if n.Case != cc.LabeledStatementLabel {
		return r.caseLabel(n)
	}
	name := n.Token.SrcStr()
	l := &tree.Label{At: at, Name: name}
	key := r.function.labelKey(name)
	if r.function.labels[key] != nil {
		r.Fail(at.Position, "the label %s is there twice", name)
	}
	r.function.labels[key] = l
	l.Statement = r.statement(n.Statement)
	return l
}

// resolveGotos finds the labels that the function's gotos go to.
func (r *reader) resolveGotos() {
	for _, g := range r.function.gotos {
		if g.Target = r.function.labels[g.key]; g.Target == nil {
			r.Errorf(g.Position, "there is no label %s", g.name)
		}
	}
}

// selection reads if and switch.
func (r *reader) selection(n *cc.SelectionStatement) tree.Statement {
	at := r.at(n)
	if n.Case == cc.SelectionStatementSwitch {
		return r.switchStatement(n)
	}
	r.push()
	defer r.pop()
	s := &tree.If{At: at, Test: r.truth(r.rvalue(n.ExpressionList)), Then: r.substatement(n.Statement)}
	if n.Case == cc.SelectionStatementIfElse {
		s.Else = r.substatement(n.Statement2)
	}
	return s
}

// body reads the body of a loop.
func (r *reader) body(loop tree.Statement, n *cc.Statement) tree.Statement {
	f := r.function
	f.breaks, f.loops = append(f.breaks, loop), append(f.loops, loop)
	s := r.substatement(n)
	f.breaks, f.loops = f.breaks[:len(f.breaks)-1], f.loops[:len(f.loops)-1]
	return s
}

// iteration reads loops.
func (r *reader) iteration(n *cc.IterationStatement) tree.Statement {
	at := r.at(n.Token)
	r.push()
	defer r.pop()
	clauses := r.loopAnnotations(n)
	switch n.Case {
	case cc.IterationStatementWhile:
		l := &tree.While{At: at, Test: r.truth(r.rvalue(n.ExpressionList))}
		r.invariants(l, clauses)
		l.Body = r.body(l, n.Statement)
		return l
	case cc.IterationStatementDo:
		l := &tree.DoWhile{At: at, TestPos: r.pos(n.Token2)}
		r.invariants(l, clauses)
		l.Body = r.body(l, n.Statement)
		l.Test = r.truth(r.rvalue(n.ExpressionList))
		return l
	}
	l := &tree.For{At: at}
	test, step := n.ExpressionList2, n.ExpressionList3
	if n.Case == cc.IterationStatementForDecl {
		test, step = n.ExpressionList, n.ExpressionList2
		l.Init = r.declaration(n.Declaration)
	} else if n.ExpressionList != nil {
		l.Init = []tree.Statement{&tree.Evaluate{At: r.at(n.ExpressionList), Value: r.rvalueOrVoid(n.ExpressionList)}}
	}
	if test != nil {
		l.Test = r.truth(r.rvalue(test))
	}
	if step != nil {
		l.Step = r.rvalueOrVoid(step)
	}
	r.invariants(l, clauses)
	l.Body = r.body(l, n.Statement)
	return l
}

// jump reads goto, break, continue and return.
func (r *reader) jump(n *cc.JumpStatement) tree.Statement {
	at := r.at(n.Token)
	f := r.function
	switch n.Case {
	case cc.JumpStatementGoto:
		name := n.Token2.SrcStr()
		g := &pendingGoto{Goto: &tree.Goto{At: at}, name: name, key: f.labelKey(name)}
		f.gotos = append(f.gotos, g)
		return g.Goto
	case cc.JumpStatementGotoExpr:
		r.rvalue(n.ExpressionList)
		return &tree.Unsupported{At: at, What: "a computed goto"}
	case cc.JumpStatementContinue:
		if len(f.loops) == 0 {
			r.Fail(at.Position, "continue outside a loop")
		}
		return &tree.Continue{At: at, Target: f.loops[len(f.loops)-1]}
	case cc.JumpStatementBreak:
		if len(f.breaks) == 0 {
			r.Fail(at.Position, "break outside a loop or switch")
		}
		return &tree.Break{At: at, Target: f.breaks[len(f.breaks)-1]}
	}
	s := &tree.Return{At: at}
	if n.ExpressionList != nil {
		v := r.rvalueOrVoid(n.ExpressionList)
		s.Value = r.convertFor(v, f.Type.Result, v.Pos(), "returned")
	}
	return s
}

// statementValue reads GNU's ({ ... }): its value is that of the last statement, if that is an expression.
func (r *reader) statementValue(n *cc.PrimaryExpression) tree.Value {
	at := r.at(n)
	if r.function == nil {
		r.Fail(at.Position, "a statement expression outside a function")
	}
	s := &tree.StatementValue{At: at, T: r.types.void}
	r.push()
	defer r.pop()
	c := n.CompoundStatement
	defer r.localLabels(c)()
	s.Block = &tree.Block{At: r.at(c.Token), End: r.pos(c.Token2)}
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		r.checkTime()
		if e := lastExpression(l); e != nil {
			s.Result = r.rvalueOrVoid(e)
			if s.T = s.Result.Type(); tree.IsVoid(s.T) {
				s.Block.Statements = append(s.Block.Statements, &tree.Evaluate{At: r.at(e), Value: s.Result})
				s.Result = nil
			}
			break
		}
		s.Block.Statements = append(s.Block.Statements, r.blockItem(l.BlockItem)...)
	}
	return s
}

// lastExpression is the expression of the last item of a block, nil if the item is not the last or something else.
func lastExpression(l *cc.BlockItemList) cc.ExpressionNode {
	if l.BlockItemList != nil || l.BlockItem == nil || l.BlockItem.Case != cc.BlockItemStmt {
		return nil
	}
	s := l.BlockItem.Statement
	if s == nil || s.Case != cc.StatementExpr {
		return nil
	}
	return s.ExpressionStatement.ExpressionList
}

// assembly reads asm("..." : outputs : inputs : clobbers).
func (r *reader) assembly(n *cc.Asm) tree.Statement {
	s := &tree.Assembly{At: r.at(n)}
	for l := n.AsmQualifierList; l != nil; l = l.AsmQualifierList {
		if l.AsmQualifier.Case == cc.AsmQualifierGoto {
			return &tree.Unsupported{At: s.At, What: "asm goto"}
		}
	}
	section := 0
	for l := n.AsmArgList; l != nil; l = l.AsmArgList {
		for e := l.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			constraint, operand := asmOperand(e.AssignmentExpression)
			switch section {
			case 0, 1:
				if operand == nil {
					continue
				}
				o := r.expression(operand)
				if section == 0 {
					s.Outputs = append(s.Outputs, r.placeOf(o, "an output of asm"))
				} else {
					if o.place != nil && strings.Contains(constraint, "m") {
						// An operand in memory is passed by its address.
						o = r.addressOf(o, o.pos)
					}
					s.Inputs = append(s.Inputs, r.valueOf(o))
				}
			case 2:
				s.Memory = s.Memory || strings.Contains(constraint, "memory")
			default:
				return &tree.Unsupported{At: s.At, What: "asm goto"}
			}
		}
		section++
	}
	return s
}

// asmOperand takes "=r" (x), which the parser takes for a call of a string, apart.
func asmOperand(n cc.ExpressionNode) (constraint string, operand cc.ExpressionNode) {
	switch n := n.(type) {
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			constraint, _ = asmOperand(n.PostfixExpression)
			if n.ArgumentExpressionList != nil {
				operand = n.ArgumentExpressionList.AssignmentExpression
			}
		}
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionString {
			constraint = n.Token.SrcStr()
		}
	}
	return constraint, operand
}

// openSwitch is a switch whose body is being read.
type openSwitch struct {
	*tree.Switch
	tag *tree.Integer
	// taken are the cases so far, ordered by their values, which do not overlap.
	taken []*tree.Case
}

// switchStatement reads a switch.
func (r *reader) switchStatement(n *cc.SelectionStatement) tree.Statement {
	r.push()
	defer r.pop()
	tag := r.promote(r.rvalue(n.ExpressionList))
	t, ok := tag.Type().(*tree.Integer)
	if !ok {
		r.Fail(r.pos(n), "the value of a switch is no integer")
	}
	s := &openSwitch{Switch: &tree.Switch{At: r.at(n), Tag: tag}, tag: t}
	f := r.function
	f.switches, f.breaks = append(f.switches, s), append(f.breaks, s.Switch)
	s.Body = r.substatement(n.Statement)
	f.switches, f.breaks = f.switches[:len(f.switches)-1], f.breaks[:len(f.breaks)-1]
	return s.Switch
}

// caseLabel reads case a:, case a ... b: and default:.
func (r *reader) caseLabel(n *cc.LabeledStatement) tree.Statement {
	c := &tree.Case{At: r.at(n)}
	if len(r.function.switches) == 0 {
		r.Fail(c.Position, "a case outside a switch")
	}
	s := r.function.switches[len(r.function.switches)-1]
	if n.Case == cc.LabeledStatementDefault {
		if s.Default != nil {
			r.Fail(c.Position, "a switch has two defaults")
		}
		s.Default = c
		c.Statement = r.statement(n.Statement)
		return c
	}
	c.Low = s.tag.Wrap(r.constantExpression(n.ConstantExpression, "a case"))
	c.High = c.Low
	if n.Case == cc.LabeledStatementRange {
		c.High = s.tag.Wrap(r.constantExpression(n.ConstantExpression2, "a case"))
	}
	if c.Low.Cmp(c.High) <= 0 { // else the range is empty
		r.takeCase(s, c)
	}
	s.Cases = append(s.Cases, c)
	c.Statement = r.statement(n.Statement)
	return c
}

// takeCase checks that the values of a case are not those of another.
func (r *reader) takeCase(s *openSwitch, c *tree.Case) {
	at := sort.Search(len(s.taken), func(i int) bool { return s.taken[i].High.Cmp(c.Low) >= 0 })
	if at < len(s.taken) && s.taken[at].Low.Cmp(c.High) <= 0 {
		r.Fail(c.Position, "the case %s is there twice", largest(c.Low, s.taken[at].Low))
	}
	s.taken = append(s.taken, nil)
	copy(s.taken[at+1:], s.taken[at:])
	s.taken[at] = c
}

func largest(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}
