// Package smt is the solver as the engines see it: incremental assertion stacks with assumptions, unsatisfiable cores,
// models read into exact values, and refutation proofs. The packages z3 and process below it implement its interfaces;
// an engine is handed an Opener and names neither.
package smt
