// Package read resolves the parser's tree of a C program to a tree.Program: names are resolved, conversions are written out and
// objects are laid out.
//
// Everything that the parser leaves open is settled here: types and their layout, constant expressions, initialisers, what
// converts to what. Nothing is taken from the parser's type checker.
//
//	reader.go          Program: the order of reading, scopes, declarations at file scope
//	types.go           the data models' types, promotions and common types
//	specifiers.go      declaration specifiers; attributes.go: attributes and pragmas
//	declarators.go     declarators
//	records.go         structs, unions and enumerations; layout.go: their layout
//	objects.go         objects and functions by their names
//	declarations.go    declarations in blocks, function definitions, and functions that run before main
//	expressions.go     expressions; operators.go, calls.go, builtins.go, overflow.go, literals.go: their parts
//	conversions.go     conversions
//	constants.go       constant expressions
//	initialisers.go    initialisers
//	statements.go      statements
//	contracts.go       contracts by the functions of SMACK's header; annotations.go: by the clauses of ACSL's comments
//	declared.go        contracts before declarations of functions
//	link.go            the definitions of C's library for the calls of its functions
//	units.go           what several translation units share, and what they keep apart
//	uses.go            which objects escape and are written; which are used at all
package read

import (
	"context"
	"fmt"
	"slices"

	"modernc.org/cc/v4"
	"modernc.org/token"

	"hornbeam/frontend/c/acsl"
	"hornbeam/frontend/c/contract"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// reader is the state of reading a program.
type reader struct {
	report.Reporter
	ctx     context.Context
	types   *types
	source  *source.Text
	linkage *linkage // nil in a program of one unit

	out       *tree.Program
	scope     *scope
	globals   map[string]*tree.Object   // objects with linkage, by name
	functions map[string]*tree.Function // all functions, by name
	builtins  map[string]*tree.Function // what gcc knows without a declaration
	literals  map[string]*tree.Object   // string literals by type and contents
	strings   map[*tree.Object]bool     // the literals that are strings
	defined   map[*tree.Object]bool     // objects with linkage that are more than declared
	records   map[*tree.Struct]*record
	prototype map[*cc.DirectDeclarator]*parameters
	mentioned []*tree.Object // static objects in the order in which they are met
	errno     *tree.Object   // what errno is; nil if the program does not use it
	packings  []packing
	bodies    map[string]bool                 // the names of functions that the program defines
	replaced  map[*tree.Function]bool         // functions whose definition another one may replace: GNU's extern inline
	variadic  map[*tree.Function]*tree.Object // where functions that ask for their variable arguments find them
	// modular is the function that is to be proved by itself, and again says that a contract is read a second time.
	modular   string
	faults    fault.Set
	again     bool
	contracts contract.Contracts // SMACK's code contracts, and those in annotations
	declared  []*declaredContract
	// bodilessContracts are those of functions without a body, of all units.
	bodilessContracts map[*tree.Function]*bodilessContract
	// headers are the annotations in files that the unit includes, as far as they were needed, that are still to be read; nil if none
	// are read. reading is the unit.
	headers map[string][]acsl.Comment
	reading *unit
	// annotations are those of the unit that are still to be read, macros its macros, and pending the clauses about the next loop.
	annotations []acsl.Comment
	macros      map[string]*cc.Macro
	pending     []acsl.Clause
	// functionSymbols and objectSymbols are the symbols, where these are other than the names, of functions and objects: those
	// that asm labels and the attribute alias give.
	nested          map[*tree.Function]bool // functions that are defined in functions
	static          bool                    // in the initialiser of an object that lives as long as the program
	extended        map[*tree.Struct]bool   // structs of which some object has elements in its flexible array member
	transparent     map[tree.Type]bool      // unions that are passed like any of their members
	aligned         bool                    // something was given an alignment of its own
	functionSymbols map[*tree.Function]string
	objectSymbols   map[*tree.Object]string
	// weakNames are those that #pragma weak names; weakSymbols are what linkedAddress has found, and plain the names of functions and
	// objects whose addresses it took for never null.
	weakNames, plain map[string]bool
	weakSymbols      map[string]*weakSymbol
	// definitions are the functions with bodies in the order of these, constructors the priorities of those that run before main.
	definitions  []*tree.Function
	constructors map[*tree.Function]int64
	// quantifying is the quantifier of a contract that is being read.
	quantifying *quantifier
	declaring   tree.Pos         // the declaration that is being read
	addressed   []*tree.Function // functions whose address is that of the library's definition of them
	fixed       *tree.Pos        // where everything is that is being read; nil if it is where the parser found it

	function *functionState // nil at file scope
	// defining is the declarator whose parameters are those of the function that is being defined: the lengths in their types
	// are evaluated when the function is entered, those in other prototypes never.
	defining *cc.DirectDeclarator
	// lengths are the declarations of the computed lengths of arrays in the declaration that is being read.
	lengths []tree.Statement
}

// scope is a block, a prototype, or the file. Names and tags are apart.
type scope struct {
	outer *scope
	names map[string]meaning
	tags  map[string]*record
}

// meaning is what a name stands for: exactly one of its fields is set.
type meaning struct {
	object   *tree.Object
	function *tree.Function
	typedef  *qualified
	constant *tree.Constant // an enumeration constant
}

// qualified is a type with what C attaches to it.
type qualified struct {
	tree.Type
	constant bool
	volatile bool
	readOnly bool  // of a pointer: what it points to is const
	align    int64 // of a typedef with an aligned attribute, else 0
}

// Link reads a program of one translation unit or more, which are for one data model. The error is report.Errors, or the context's;
// the program is nil then.
func Link(ctx context.Context, units ...source.Unit) (program *tree.Program, err error) {
	name := units[0].Name
	r := newReader(ctx, newTypes(units[0].Options.Model), &source.Text{Name: name})
	r.modular, r.faults = units[0].Options.Modular, units[0].Options.Faults.OrAssertions()
	parsed, err := r.parse(units)
	if err != nil {
		return nil, err
	}
	// A fault of the parser or of this package must not take the caller down: it is an error at the declaration where it
	// happened.
	defer func() {
		if p := recover(); p != nil {
			program, err = nil, report.Errors{{Pos: r.declaring, Msg: fmt.Sprintf("internal fault: %v", p), Unsupported: true}}
		}
	}()
	report.Stopping(func() { program = r.program(parsed) })
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	// What follows something unsupported may be its consequence: a name that was not declared.
	if i := slices.IndexFunc(r.Errors, func(e *report.Error) bool { return e.Unsupported }); i >= 0 {
		r.Errors = r.Errors[:i+1]
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return program, nil
}

// prelude is parsed before every program and before the library. The macros turn what takes a type as an argument, which is no call of a function,
// into calls that are recognised by name.
var prelude = `
#define __extension__
#define typeof_unqual __typeof__
#define __typeof_unqual__ __typeof__
#define _Static_assert(...) _Static_assert __hornbeam_assertion(__VA_ARGS__, "", )
#define __hornbeam_assertion(condition, message, ...) (condition, message)
#define __builtin_va_arg(list, type) (*(type *)__hornbeam_va_arg(list, sizeof(type)))
#define __builtin_offsetof(type, member) ((__SIZE_TYPE__)&(((type *)0)->member))
#define __builtin_types_compatible_p(a, b) __hornbeam_compatible((__typeof__(a) *)0, (__typeof__(b) *)0)
int __predefined_declarator;
typedef void *__builtin_va_list;
typedef __builtin_va_list __gnuc_va_list;
`

// newReader is ready to read a text.
func newReader(ctx context.Context, types *types, text *source.Text) *reader {
	return &reader{
		ctx: ctx, types: types, source: text,
		out: &tree.Program{
			Name: text.Name, Model: types.model, Int: types.int, Size: types.size, Difference: types.difference, Char: types.char,
		},
		scope: &scope{}, globals: map[string]*tree.Object{}, functions: map[string]*tree.Function{},
		literals: map[string]*tree.Object{}, bodilessContracts: map[*tree.Function]*bodilessContract{}, strings: map[*tree.Object]bool{}, defined: map[*tree.Object]bool{},
		records: map[*tree.Struct]*record{}, plain: map[string]bool{}, weakSymbols: map[string]*weakSymbol{},
		nested: map[*tree.Function]bool{}, extended: map[*tree.Struct]bool{}, transparent: map[tree.Type]bool{},
		functionSymbols: map[*tree.Function]string{}, objectSymbols: map[*tree.Object]string{},
		replaced: map[*tree.Function]bool{}, variadic: map[*tree.Function]*tree.Object{},
		contracts: contract.Contracts{Functions: map[*tree.Function]*contract.Contract{}, Assigns: map[*tree.Function]*tree.Assigns{}, Quantifiers: map[*tree.StatementValue]bool{}},
		prototype: map[*cc.DirectDeclarator]*parameters{}, constructors: map[*tree.Function]int64{},
	}
}

func (r *reader) push() { r.scope = &scope{outer: r.scope} }

func (r *reader) pop() { r.scope = r.scope.outer }

// lookup finds what a name stands for.
func (r *reader) lookup(name string) (meaning, bool) {
	for s := r.scope; s != nil; s = s.outer {
		if m, ok := s.names[name]; ok {
			return m, true
		}
	}
	return meaning{}, false
}

// declare gives a name a meaning in the innermost scope.
func (r *reader) declare(name string, m meaning) {
	if r.scope.names == nil {
		r.scope.names = map[string]meaning{}
	}
	r.scope.names[name] = m
}

// position is a place of the parser in the program.
func (r *reader) position(p token.Position) tree.Pos {
	if r.fixed != nil {
		return *r.fixed
	}
	return r.source.Place(r.physical(p))
}

// physical is a place of the parser in the file that is read.
func (r *reader) physical(p token.Position) tree.Pos {
	return r.source.Original(tree.Pos{File: p.Filename, Line: p.Line, Column: p.Column})
}

// positioned is what has a place for the parser.
type positioned interface{ Position() token.Position }

// pos is where a node begins.
func (r *reader) pos(n positioned) tree.Pos { return r.position(n.Position()) }

// at is where a node begins, to be embedded.
func (r *reader) at(n positioned) tree.At { return tree.At{Position: r.pos(n)} }

// program reads the translation units, one after the other.
func (r *reader) program(units []*unit) *tree.Program {
	for _, u := range units {
		end := r.beginUnit(u, units)
		if !r.readUnit(u.ast) {
			return nil
		}
		r.endDeclared()
		end()
	}
	if len(r.Errors) > 0 {
		return nil
	}
	r.nameInternal()
	report.Recovering(r.link)
	r.completeObjects()
	r.refuseCopies()
	report.Recovering(r.completeWeak)
	r.refuseWeak()
	contract.Instrument(&r.contracts, contract.Environment{
		Modular: r.modular, Faults: r.faults, Program: r.out, Static: &r.mentioned, Called: r.called(), Main: r.bodies["main"], Void: r.types.void, Bool: r.types.boolean, Function: r.functionNamed, Inspect: r.inspect,
		Convert: func(v tree.Value, t tree.Type, pos tree.Pos) tree.Value { return r.converted(v, t, false, pos) },
	})
	report.Recovering(r.construct)
	if len(r.Errors) > 0 {
		return nil
	}
	r.linkLibrary()
	r.fitCalls()
	r.fitVariadic()
	r.findUses()
	r.nameUniquely()
	return r.out
}

// readUnit reads a translation unit; false if there was no time for that. What is declared before every program is read with the first.
func (r *reader) readUnit(ast *cc.AST) bool {
	prelude := r.builtins == nil
	for unit := ast.TranslationUnit; unit != nil; unit = unit.TranslationUnit {
		if r.ctx.Err() != nil {
			return false
		}
		declared := r.pos(unit.ExternalDeclaration).File == source.Declarations
		if prelude && !declared {
			prelude = false
			r.setBuiltins()
		}
		if declared && !prelude {
			continue
		}
		file := r.scope
		report.Recovering(func() { r.externalDeclaration(unit.ExternalDeclaration) })
		r.scope, r.function, r.defining, r.lengths = file, nil, nil, nil
	}
	if prelude {
		r.setBuiltins()
	}
	return true
}

// bodies are the names of the functions that a translation unit defines.
func bodies(ast *cc.AST) map[string]bool {
	out := map[string]bool{}
	for unit := ast.TranslationUnit; unit != nil; unit = unit.TranslationUnit {
		if d := unit.ExternalDeclaration; d != nil && d.Case == cc.ExternalDeclarationFuncDef {
			out[d.FunctionDefinition.Declarator.Name()] = true
		}
	}
	return out
}

// externalDeclaration reads a declaration at file scope.
func (r *reader) externalDeclaration(n *cc.ExternalDeclaration) {
	if n == nil {
		return
	}
	switch n.Case {
	case cc.ExternalDeclarationFuncDef:
		r.declaring = r.pos(n.FunctionDefinition)
		r.functionDefinition(n.FunctionDefinition)
	case cc.ExternalDeclarationDecl:
		r.declaring = r.pos(n.Declaration)
		r.declaration(n.Declaration)
		r.declarationAnnotations(n.Declaration)
	case cc.ExternalDeclarationAsmStmt, cc.ExternalDeclarationEmpty:
		// Assembly at file scope could define symbols; what it defines is external to the program.
	}
}
