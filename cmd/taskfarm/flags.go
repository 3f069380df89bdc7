package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/search"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/synthetic"
)

// maxFanout bounds the memory that a worker and the manager have for tasks.
const maxFanout = 1024

// plan is what all ranks must know. It is broadcast as it is.
type plan struct {
	Command   command
	Fanout    int32
	Search    search.Options
	Synthetic synthetic.Options
}

// settings are what a command line says.
type settings struct {
	plan            plan
	query, database string // paths; empty: the data in the program
	tsv             string // path, "-" for standard output, or empty
	json, help      bool
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// searchFlags are those of taskfarm search.
func (s *settings) searchFlags() *pflag.FlagSet {
	fs := s.flagSet("search")
	o := &s.plan.Search
	fs.StringVar(&s.query, "query", "", "FASTA `file` of the proteins to search for, plain or gzip\n(default: 64 in the program)")
	fs.StringVar(&s.database, "db", "", "FASTA `file` of the proteins to search in, plain or gzip\n(default: 1000 in the program)")
	fs.Int32Var(&o.Top, "top", 5, "print at most this `number` of hits for each query")
	fs.Int32Var(&o.Gaps.Open, "gap-open", 11, "`penalty` of a gap, beside that of each residue in it")
	fs.Int32Var(&o.Gaps.Extend, "gap-extend", 1, "`penalty` of each residue in a gap")
	fs.Int64Var(&o.Block, "block", 20_000_000, "size of a task in `cells`: residues of the query times those of\nthe targets")
	fs.StringVar(&s.tsv, "tsv", "", "write the hits to this `file` as tab-separated values;\n- is standard output, in place of the table")
	s.commonFlags(fs)
	return fs
}

// syntheticFlags are those of taskfarm synthetic.
func (s *settings) syntheticFlags() *pflag.FlagSet {
	fs := s.flagSet("synthetic")
	o := &s.plan.Synthetic
	fs.Int64Var(&o.Tasks, "tasks", 1000, "`number` of tasks")
	fs.Int64Var(&o.TaskSize, "size", 1024, "size of a task in `bytes`")
	fs.Int64Var(&o.ResultSize, "result-size", 64, "size of a result in `bytes`")
	fs.DurationVar(&o.Compute, "compute", time.Millisecond, "`time` of computing for a task, by the clock")
	s.commonFlags(fs)
	return fs
}

func (s *settings) flagSet(name string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.SortFlags = false
	fs.Usage = func() {} // printed by rank 0 when the world is done with
	return fs
}

func (s *settings) commonFlags(fs *pflag.FlagSet) {
	fs.Int32Var(&s.plan.Fanout, "fanout", 4, "`number` of requests for tasks that a worker has under way")
	fs.BoolVar(&s.json, "json", false, "print a summary in JSON to standard output, and no table")
	fs.BoolVarP(&s.help, "help", "h", false, "show this text")
}

// parse reads a command line. The error is a usageError, or pflag.ErrHelp.
func parse(args []string) (s settings, err error) {
	if len(args) == 0 {
		return s, usagef("a command is missing: search or synthetic")
	}
	var fs *pflag.FlagSet
	var check func() error
	switch args[0] {
	case "search":
		s.plan.Command = searching
		fs, check = s.searchFlags(), func() error { return s.plan.Search.Check() }
	case "synthetic":
		s.plan.Command = synthesizing
		fs, check = s.syntheticFlags(), func() error { return s.plan.Synthetic.Check() }
	case "help", "-h", "--help":
		return s, pflag.ErrHelp
	default:
		return s, usagef("%q is no command; search and synthetic are", args[0])
	}
	if err := fs.Parse(args[1:]); err != nil {
		return s, usageError{err}
	}
	if wanted, _ := fs.GetBool("help"); wanted {
		return s, pflag.ErrHelp
	}
	switch {
	case fs.NArg() > 0:
		return s, usagef("%q is one argument too many", fs.Arg(0))
	case s.plan.Fanout < 1 || s.plan.Fanout > maxFanout:
		return s, usagef("fanout %d is not from 1 to %d", s.plan.Fanout, maxFanout)
	case s.json && s.tsv == "-":
		return s, usagef("--json and --tsv - would both write to standard output")
	}
	if err := check(); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// help is the text of taskfarm help.
func help() string {
	var s settings
	var b strings.Builder
	b.WriteString(`usage: mpirun -n RANKS taskfarm COMMAND [flag]...

Rank 0, the manager, hands out tasks to the other ranks, the workers. Without
mpirun there is one rank, which does everything itself.

taskfarm search: the most similar proteins, by Smith-Waterman alignment
`)
	b.WriteString(s.searchFlags().FlagUsages())
	b.WriteString("\ntaskfarm synthetic: tasks of a given size and time, to measure the farm\n")
	b.WriteString(s.syntheticFlags().FlagUsages())
	b.WriteString("\nOnly rank 0 reads the command line and files. See docs/taskfarm.md.\n")
	return b.String()
}
