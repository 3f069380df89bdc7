package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/npb/internal/nas"
)

// plan is what all ranks must know. It is broadcast as it is. Kernels has a bit for each kernel.
type plan struct {
	Kernels uint32
	Class   nas.Class
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
	names := fs.String("kernel", "all", "comma-separated `names` of kernels, or all")
	fs.BoolVar(&s.json, "json", false, "print a line of JSON for each kernel, and no tables")
	if err := cli.Parse(fs, args, about()); err != nil {
		return s, err
	}
	letter := strings.ToUpper(*class)
	if len(letter) != 1 || !strings.Contains(nas.Classes, letter) {
		return s, cli.Usagef("class %q is none of S, W, A, B and C", *class)
	}
	s.plan.Class = nas.Class(letter[0])
	if s.plan.Kernels, err = choose(*names); err != nil {
		return s, err
	}
	for i, k := range kernels {
		if s.plan.Kernels&(1<<i) == 0 {
			continue
		}
		if err := k.Ranks(ranks); err != nil {
			return s, cli.Usagef("%s runs %w", k.Name, err)
		}
	}
	return s, nil
}

// choose returns a bit for each kernel that is named.
func choose(names string) (chosen uint32, err error) {
	if names == "all" {
		return 1<<len(kernels) - 1, nil
	}
next:
	for name := range strings.SplitSeq(strings.ToLower(names), ",") {
		for i, k := range kernels {
			if k.Name == name {
				chosen |= 1 << i
				continue next
			}
		}
		return 0, cli.Usagef("%q is no kernel; %s are", name, kernelNames())
	}
	return chosen, nil
}

// kernelNames lists all kernels.
func kernelNames() string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// about is what the help says before the flags.
func about() string {
	var b strings.Builder
	b.WriteString("The NAS Parallel Benchmarks. Their results are verified. Kernels:\n\n")
	for _, k := range kernels {
		fmt.Fprintf(&b, "  %s  %s\n", k.Name, k.About)
	}
	b.WriteString("\nWithout mpirun there is one rank. Only rank 0 reads the command line. See docs/npb.md.\n")
	return b.String()
}
