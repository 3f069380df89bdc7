package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
)

// plan is what all ranks must know. It is broadcast as it is. Kernels has a bit for each kernel.
type plan struct {
	Kernels uint32
	Class   kernels.Class
}

// settings are what a command line says.
type settings struct {
	plan plan
	json bool
}

// parse reads a command line, for a number of ranks. The error is a cli.UsageError or a cli.Help.
func parse(args []string, ranks int) (s settings, err error) {
	fs := pflag.NewFlagSet("mpirun -n RANKS npb", pflag.ContinueOnError)
	class := fs.String("class", "S", "size of the problems, a `letter`: S, W, A, B or C")
	names := fs.String("kernel", "all", "comma-separated `names` of kernels, or all that can run")
	fs.BoolVar(&s.json, "json", false, "print a line of JSON for each kernel, and no tables")
	if err := cli.Parse(fs, args, about()); err != nil {
		return s, err
	}
	if s.plan.Class, err = kernels.ParseClass(*class); err != nil {
		return s, cli.UsageError{Err: err}
	}
	if s.plan.Kernels, err = choose(*names); err != nil {
		return s, err
	}
	for i, k := range kernels.All {
		if s.plan.Kernels&(1<<i) == 0 {
			continue
		}
		if wrong := k.Ranks(ranks); wrong != nil {
			err = cli.Usagef("%s runs %w", k.Name, wrong)
			if *names != "all" {
				return s, err
			}
			s.plan.Kernels &^= 1 << i
		}
	}
	if s.plan.Kernels == 0 {
		return s, err
	}
	return s, nil
}

// choose returns a bit for each kernel that is named.
func choose(names string) (chosen uint32, err error) {
	if names == "all" {
		return 1<<len(kernels.All) - 1, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		k, err := kernels.Find(name)
		if err != nil {
			return 0, cli.UsageError{Err: err}
		}
		chosen |= 1 << slices.Index(kernels.Names(), k.Name)
	}
	return chosen, nil
}

// about is what the help says before the flags.
func about() string {
	var b strings.Builder
	b.WriteString("The NAS Parallel Benchmarks. Their results are verified. Kernels:\n\n")
	for _, k := range kernels.All {
		fmt.Fprintf(&b, "  %s  %s\n", k.Name, k.About)
	}
	b.WriteString("\nWithout mpirun there is one rank. Only rank 0 reads the command line. See docs/npb.md.\n")
	return b.String()
}
