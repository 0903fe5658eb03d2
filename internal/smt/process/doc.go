// Package process drives any SMT-LIB solver over a pipe: z3 -in, cvc5 --incremental, or another command that reads
// commands from its standard input. It is there for second opinions, such as checking a witness with a solver that shares
// no code with the one that found it; package z3 is many times faster.
//
// Assertions are kept, and the process is only talked to by checks: a process that was killed, because a check was
// cancelled or took too long, is replaced by one that is told everything again.
//
// Models that interpret functions, or whose arrays need a constant array, may be refused or read incompletely: their
// printed forms differ between solvers. Answers do not depend on that, and a model is only ever a hint for a message.
package process
