package loops

import (
	"fmt"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// Extract returns a checked program with procedures for its loops (ast.Procedure.LoopOf); runs of it fail if and only if
// runs of the given one do, at the same places. The given one is left as it is, and shares with the new one what has no
// calls in it. Of the statements that it has anew, origins has those that they do the same as.
func Extract(p *ast.Program) (program *ast.Program, origins map[ast.Stmt]ast.Stmt) {
	out := *p
	x := &extractor{program: &out, origins: map[ast.Stmt]ast.Stmt{}, procedures: map[*ast.Procedure]*ast.Procedure{}, names: map[string]bool{}}
	out.Procedures = nil
	for _, q := range p.Procedures {
		c := *q
		x.procedures[q], x.names[q.Name] = &c, true
		out.Procedures = append(out.Procedures, &c)
	}
	implementations := map[*ast.Implementation]*ast.Implementation{}
	for _, q := range p.Procedures {
		c := x.procedures[q]
		c.Implementations = nil
		for _, impl := range q.Implementations {
			i := *impl
			i.Procedure = c
			i.Body = x.body(impl, c)
			if impl.Body == q.Body {
				c.Body = i.Body
			}
			implementations[impl] = &i
			c.Implementations = append(c.Implementations, &i)
		}
	}
	out.Implementations = slices.Clone(p.Implementations)
	for i, impl := range out.Implementations {
		if c := implementations[impl]; c != nil {
			out.Implementations[i] = c
		}
	}
	out.Declarations = slices.Clone(p.Declarations)
	for i, d := range out.Declarations {
		switch d := d.(type) {
		case *ast.Procedure:
			if c := x.procedures[d]; c != nil {
				out.Declarations[i] = c
			}
		case *ast.Implementation:
			if c := implementations[d]; c != nil {
				out.Declarations[i] = c
			}
		}
	}
	for _, q := range x.made {
		out.Procedures, out.Declarations = append(out.Procedures, q), append(out.Declarations, q)
	}
	return &out, x.origins
}

type extractor struct {
	program *ast.Program
	// procedures has the new program's for the given one's.
	procedures map[*ast.Procedure]*ast.Procedure
	origins    map[ast.Stmt]ast.Stmt
	names      map[string]bool
	made       []*ast.Procedure
}

// procedure is the new program's.
func (x *extractor) procedure(p *ast.Procedure) *ast.Procedure {
	if q := x.procedures[p]; q != nil {
		return q
	}
	return p
}

// name is a name for a loop's procedure that nothing else has.
func (x *extractor) name(of string) string {
	for i := 1; ; i++ {
		if name := fmt.Sprintf("%s.loop%d", of, i); !x.names[name] {
			x.names[name] = true
			return name
		}
	}
}

// body is the body of an implementation, which becomes one of the procedure, without loops.
func (x *extractor) body(impl *ast.Implementation, of *ast.Procedure) *ast.Body {
	g := flow.Build(impl)
	all := x.nest(g, of)
	if len(all) == 0 {
		body := *impl.Body
		body.Stmts = ast.CopyStatements(impl.Body.Stmts, func(e ast.Expr) ast.Expr { return e }, func(s, copied ast.Stmt) {
			x.origins[copied] = s
			if call, ok := copied.(*ast.Call); ok {
				call.Procedure = x.procedure(call.Procedure)
			}
		})
		return &body
	}
	top := x.region(g, nil, all)
	top.emit(g.Blocks[0])
	return &ast.Body{Pos: impl.Body.Pos, End: impl.Body.End, Locals: slices.Concat(impl.Body.Locals, top.locals), Stmts: top.stmts}
}
