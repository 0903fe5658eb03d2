// Package boogie reads programs in Boogie, the intermediate language for verification, into the tree of package ast.
//
// Parse reads the syntax, by hand-written recursive descent, and reports several errors per file. Check looks up all names,
// infers and checks all types, with the type arguments of whatever is polymorphic, and the other rules that Boogie checks
// before it verifies; then a tree can be worked on without looking anything up. Read does both, and for a program with
// SMACK's prelude Prune between them.
//
// The language is Boogie 2 without concurrency, as the current Boogie reads it, with what older programs have (`extends`,
// `<:`, `*` as an argument or result of a call), and, when a source shows that it is Ultimate's, that dialect: % and / of
// integers are mod and div, comments don't nest, and there are record types. A modifies clause need not be complete
// unless Options.Strict asks for it: what is missing is inferred. Everything else that Boogie refuses is refused, with
// an Error that has file, line and column; what is Boogie but not read here (concurrency, floating-point numbers,
// strings) gets one that wraps ErrUnsupported.
//
// `#line` pragmas set the positions of what follows; `#if` and its kind leave lines out.
package boogie
