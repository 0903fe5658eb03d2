package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	"hornbeam/bench/families"
)

func benchFamiliesCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "families",
		Usage:     "write C programs whose size is a parameter, each once safe and once with a bug; without --out, list what there is",
		ArgsUsage: "[NAME...]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "the folder to which they are written"},
			&cli.StringFlag{Name: "n", Value: "4,8,16,32", Usage: "their sizes, separated by commas"},
		},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			chosen, err := familiesNamed(c.Args().Slice())
			if err != nil {
				return &coded{exitUsage, err}
			}
			if c.String("out") == "" {
				for _, p := range chosen {
					fmt.Fprintf(s.out, "%-16s %s\n", p.Name, p.Doc)
				}
				return nil
			}
			var sizes []int
			for _, word := range strings.Split(c.String("n"), ",") {
				n, err := strconv.Atoi(strings.TrimSpace(word))
				if err != nil {
					return usageError("--n %s: %q is no size", c.String("n"), word)
				}
				sizes = append(sizes, n)
			}
			if err := os.MkdirAll(c.String("out"), 0o755); err != nil {
				return &coded{exitUsage, fmt.Errorf("write programs: %w", err)}
			}
			for _, p := range chosen {
				if _, err := bench.WritePrograms(p, sizes, c.String("out")); err != nil {
					return &coded{exitUsage, err}
				}
			}
			return nil
		},
	}
}

// familiesNamed are the families of C programs of those names, all when there are none.
func familiesNamed(names []string) ([]families.Program, error) {
	if len(names) == 0 {
		return families.Programs(), nil
	}
	var chosen []families.Program
	var failures []error
	for _, name := range slices.Compact(names) {
		p, err := families.ProgramNamed(name)
		chosen, failures = append(chosen, p), append(failures, err)
	}
	return chosen, errors.Join(failures...)
}
