// Package task reads lists of tasks, with what is known of each, and chooses among them.
//
// [Load] reads what its path names:
//
//   - a folder with verdicts.tsv: a line a task, the columns named in its first line (file or path, expected, and where they
//     are given family, source, property, data_model) or being file, expected and family;
//   - a folder with such folders below it, at any depth, each of them a track;
//   - any other folder: its files, each with the verdict that a comment of its own says ("; verdict: sat", or with // in
//     programs) or (set-info :status sat), and the data model of C that a comment says ("// model: ILP32");
//   - NAME.set: a pattern a line, relative to the file, of task definitions or input files;
//   - NAME.yml: a task definition as SV-COMP and CHC-COMP have them, with input_files, properties and options;
//   - any other file: one task.
//
// A [Filter] keeps some of them, or a sample that depends on nothing but its seed and the tasks' names.
package task
