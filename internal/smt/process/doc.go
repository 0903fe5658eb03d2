// Package process drives any SMT-LIB solver over a pipe: z3 -in, cvc5 --incremental, or another command that reads
// commands from its standard input. It is there for second opinions, such as checking a witness with a solver that shares
// no code with the one that found it; package z3 is many times faster.
//
// Assertions are kept, and the process is only talked to by checks: a process that was killed, because a check was
// cancelled or took too long, is replaced by one that is told everything again.
//
// Models are read with all theories: also where a solver prints terms that it did not evaluate.
package process
