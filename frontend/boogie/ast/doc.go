// Package ast is the syntax tree of Boogie programs, and its printer.
//
// The parser (package boogie) makes a tree of names; boogie.Check fills in what the names mean, and from then on a tree
// can be worked on without looking anything up:
//
//   - Identifier.Decl is the variable or constant, Application.Function the function
//     or constructor, Call.Procedure the procedure,
//     TypeName.Decl the type constructor, Goto.Targets the labels, Break.Target the statement that is left;
//   - every expression has its Type, every Variable too: a Type is free of synonyms, a TypeSyntax is what the source says;
//   - what is polymorphic is instantiated where it is used: TypeArguments holds a type for each type parameter of the
//     function, procedure or map type;
//   - Program.Types, Constants, Globals, … list the declarations that count, in the source's order, and
//     Procedure.Implementations the bodies.
//
// A procedure's contract uses the procedure's own parameters. An implementation with parameters of its own
// corresponds by position.
//
// Trees can also be made by hand, with names and without what Check fills in; Print writes either kind.
package ast
