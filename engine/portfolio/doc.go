// Package portfolio is the one road from a system of Horn clauses to a checked answer: preprocessing, an engine, the
// witness carried back to the clauses of the source, its check on them, and only then the verdict. It knows every
// engine by name, and it is where time limits, memory limits and panics end.
package portfolio
