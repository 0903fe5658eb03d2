// Package specialise splits predicates by the values of arguments that act as a program counter.
package specialise
