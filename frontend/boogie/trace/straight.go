package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// straight is a run as a Boogie program of its own: the statements that were executed, one after the other, with those of called
// procedures in the place of the calls, and the assertion that failed at the end. Conditions that decided the way are assumptions; what
// was left open is left open again. It is the error trace program of "Counterexample-Guided Bit-Precision Selection", Fig. 4: a proof
// of it would show that the way cannot be gone. An error says why there is none.
func straight(program *ast.Program, r *recorder) (string, error) {
	if r.total > len(r.first)+len(r.last) {
		return "", fmt.Errorf("the run has %d steps, and not all of them are kept", r.total)
	}
	s := &straightener{program: program, used: map[string]bool{}}
	for _, d := range program.Declarations {
		switch d := d.(type) {
		case *ast.Variable:
			s.used[d.Name] = true
		case *ast.Function:
			s.used[d.Name] = true
		}
	}
	for _, e := range slices.Concat(r.first, r.last) {
		if err := s.event(e); err != nil {
			return "", err
		}
	}
	return s.text(), nil
}

// straightener collects the statements of a run.
type straightener struct {
	program *ast.Program
	entry   *ast.Procedure
	// used are the names that are taken.
	used map[string]bool
	// frames are the open calls, the outermost first.
	frames []frame
	locals []string
	lines  []string
}

// frame is an open call: the names of its variables in the straight program, its body, and the statement that made it.
type frame struct {
	names  map[*ast.Variable]string
	of     *ast.Implementation
	caller *ast.Call
}

func (s *straightener) line(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// in renames the variables of the call at a depth in an expression.
func (s *straightener) in(depth int, e ast.Expr) (ast.Expr, error) {
	var failure error
	names := s.frames[depth].names
	var rename func(ast.Expr) ast.Expr
	rename = func(e ast.Expr) ast.Expr {
		switch e := e.(type) {
		case *ast.Identifier:
			if name, ok := names[e.Decl]; ok {
				return &ast.Identifier{Node: e.Node, Name: name, Decl: e.Decl}
			}
			return e
		case *ast.Old, *ast.CodeExpr:
			failure = errors.New("a condition of the run speaks of values at the entry of a procedure, or has statements in it")
			return e
		}
		return ast.Rewrite(e, rename)
	}
	return rename(e), failure
}

// simple writes a statement without others in it.
func (s *straightener) simple(depth int, stmt ast.Stmt) error {
	var failure error
	rename := func(e ast.Expr) ast.Expr {
		renamed, err := s.in(depth, e)
		failure = errors.Join(failure, err)
		return renamed
	}
	switch stmt := stmt.(type) {
	case *ast.Assign:
		s.line("%s", ast.StatementString(ast.RewriteStatement(stmt, rename)))
	case *ast.Call:
		s.line("%s", ast.StatementString(ast.RewriteStatement(stmt, rename)))
	case *ast.Havoc:
		s.line("%s", ast.StatementString(ast.RewriteStatement(stmt, rename)))
		for _, v := range stmt.Variables {
			failure = errors.Join(failure, s.where(depth, v.Decl))
		}
	}
	return failure
}

// assume writes a condition that held, or did not.
func (s *straightener) assume(depth int, cond ast.Expr, held bool) error {
	cond, err := s.in(depth, cond)
	if held {
		s.line("assume %s;", ast.String(cond))
	} else {
		s.line("assume !(%s);", ast.String(cond))
	}
	return err
}

// where assumes what is known of any value of a variable of a call.
func (s *straightener) where(depth int, v *ast.Variable) error {
	if _, own := s.frames[depth].names[v]; !own || v.Where == nil {
		return nil
	}
	return s.assume(depth, v.Where, true)
}

func (s *straightener) event(e interpret.Event) error {
	switch e.Kind {
	case interpret.Begun:
		s.entry = e.Procedure
		s.frames = []frame{{}}
		return nil
	case interpret.Entered:
		call, _ := e.Stmt.(*ast.Call)
		s.frames = append(s.frames[:e.Depth+1], frame{caller: call})
		return nil
	case interpret.Declared:
		return s.declare(e)
	case interpret.Left:
		return s.leave(e)
	case interpret.Ended:
		if a, ok := (&builder{program: s.program}).failing(e.Outcome.Pos).(*ast.Assert); ok {
			cond, err := s.in(e.Depth, a.Cond)
			s.line("assert %s;", ast.String(cond))
			return err
		}
		s.line("assert false; // %s", e.Outcome.What)
		return nil
	}
	guarded := func(guard ast.Expr) error {
		if guard == nil {
			return nil
		}
		return s.assume(e.Depth, guard, e.Way == 0)
	}
	switch stmt := e.Stmt.(type) {
	case *ast.If:
		return guarded(stmt.Guard)
	case *ast.While:
		return guarded(stmt.Guard)
	case *ast.Assume:
		return s.assume(e.Depth, stmt.Cond, true)
	case *ast.Assert:
		return s.assume(e.Depth, stmt.Cond, true)
	}
	return s.simple(e.Depth, e.Stmt)
}

// declare gives the variables of a call their names, and its parameters their values.
func (s *straightener) declare(e interpret.Event) error {
	f := &s.frames[e.Depth]
	at := slices.IndexFunc(e.Procedure.Implementations, func(i *ast.Implementation) bool { return i.Body == e.Body })
	if at < 0 {
		return fmt.Errorf("the body of %s is not known", e.Procedure.Name)
	}
	f.of, f.names = e.Procedure.Implementations[at], map[*ast.Variable]string{}
	if len(f.of.TypeParams) > 0 {
		return fmt.Errorf("%s has type parameters", e.Procedure.Name)
	}
	all := slices.Concat(f.of.In, f.of.Out, e.Body.Locals)
	for _, v := range all {
		name := v.Name
		for k := 1; s.used[name]; k++ {
			name = fmt.Sprintf("%s$%d", v.Name, k)
		}
		s.used[name], f.names[v] = true, name
		declared := ast.Variable{Kind: ast.Local, Name: name, Syntax: v.Syntax, Type: v.Type}
		s.locals = append(s.locals, strings.TrimSuffix(strings.TrimSpace(ast.DeclarationString(&declared)), ";"))
	}
	if f.caller != nil {
		s.line("// %s", strings.TrimSuffix(ast.StatementString(f.caller), ";"))
		for i, v := range f.of.In {
			if f.caller.Args[i] == nil {
				continue
			}
			arg, err := s.in(e.Depth-1, f.caller.Args[i])
			if err != nil {
				return err
			}
			s.line("%s := %s;", name(f.names[v]), ast.String(arg))
		}
	}
	for _, v := range all {
		if err := s.where(e.Depth, v); err != nil {
			return err
		}
	}
	return nil
}

// leave assigns the results of a call.
func (s *straightener) leave(e interpret.Event) error {
	callee := s.frames[e.Depth+1]
	s.frames = s.frames[:e.Depth+1]
	if callee.caller == nil || callee.of == nil {
		return nil
	}
	var left, right []string
	for i, r := range callee.caller.Results {
		if r == nil {
			continue
		}
		target, err := s.in(e.Depth, r)
		if err != nil {
			return err
		}
		left, right = append(left, ast.String(target)), append(right, name(callee.names[callee.of.Out[i]]))
	}
	if left != nil {
		s.line("%s := %s;", strings.Join(left, ", "), strings.Join(right, ", "))
	}
	return nil
}

// name is a name as Boogie writes it.
func name(n string) string { return ast.String(&ast.Identifier{Name: n}) }

// text is the program: the declarations that the run may speak of, and one procedure.
func (s *straightener) text() string {
	var b strings.Builder
	for _, d := range s.program.Declarations {
		switch p, isProcedure := d.(*ast.Procedure); {
		case isProcedure && len(p.Implementations) > 0:
			continue
		case !isProcedure:
			if _, body := d.(*ast.Implementation); body {
				continue
			}
		}
		b.WriteString(strings.TrimSpace(ast.DeclarationString(d)) + "\n")
	}
	fmt.Fprintf(&b, "procedure %s()\n", name(s.entry.Name))
	for _, v := range s.entry.Frame {
		fmt.Fprintf(&b, "  modifies %s;\n", name(v.Name))
	}
	b.WriteString("{\n")
	for _, l := range s.locals {
		fmt.Fprintf(&b, "  %s;\n", l)
	}
	for _, l := range s.lines {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	b.WriteString("}\n")
	return b.String()
}
