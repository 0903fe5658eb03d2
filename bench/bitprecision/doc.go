// Command bitprecision measures the four ways to represent C's machine integers, and writes the table of He and Rakamarić,
// "Counterexample-Guided Bit-Precision Selection", Table 2, for them: what is decided rightly, what is not decided in time,
// the false alarms that counterexamples would have been without being run, those that are left, and the rounds of
// refinement. The programs are those of the experiment bit-precision.
//
//	go run ./bench/bitprecision [-tasks FOLDER]... [-limit DURATION] [-explore DURATION] [-hornbeam FILE] [-lists EXPRESSION] [-results FILE]
//
// bench experiment bit-precision compares the same modes in verdicts and time; counters that the program prints are only
// here.
//
//	main.go   flags, and the order of things
//	table.go  what is counted, and the table
package main
