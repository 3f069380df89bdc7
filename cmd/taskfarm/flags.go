package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/correlate"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/search"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/synthetic"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// maxAtOnce bounds the slots and the fanout, and so the memory that a worker and the manager have for tasks.
const maxAtOnce = 1024

// plan is what all ranks must know. It is broadcast as it is.
type plan struct {
	Command   command
	Search    search.Options
	Synthetic synthetic.Options
}

// settings are what a command line says.
type settings struct {
	plan            plan
	query, database string // paths; empty: the data in the program
	variables, top  int    // of a block, and of correlations that are printed
	tsv             string // path, "-" for standard output, or empty
	json            bool
	slots, fanout   int
	receives        string
	checkpoint      string        // path, or empty
	report          time.Duration // between lines of progress, 0: none
}

// receives are the ways in which the manager can receive.
var receives = map[string]farm.Receives{"any-source": farm.AnySource, "any-tag": farm.AnyTag, "named": farm.Named}

// What the commands do, for their help.
const (
	aboutSearch    = "the most similar proteins, by Smith-Waterman alignment"
	aboutCorrelate = "how features of proteins go together: a robust correlation matrix"
	aboutSynthetic = "tasks of a given size and time, to measure the farm"
)

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

// correlateFlags are those of taskfarm correlate.
func (s *settings) correlateFlags() *pflag.FlagSet {
	fs := s.flagSet("correlate")
	fs.StringVar(&s.database, "db", "", "FASTA `file` of the proteins, plain or gzip\n(default: 1000 in the program)")
	fs.IntVar(&s.variables, "block", 8, "`number` of features in each side of a task")
	fs.IntVar(&s.top, "top", 10, "print this `number` of the strongest correlations")
	fs.StringVar(&s.tsv, "tsv", "", "write the matrix to this `file` as tab-separated values;\n- is standard output, in place of the table")
	s.commonFlags(fs)
	return fs
}

// checkCorrelate returns an error that names what is out of its range.
func (s *settings) checkCorrelate() error {
	switch {
	case s.variables < 1 || s.variables > correlate.MaxBlock:
		return fmt.Errorf("block %d is not from 1 to %d features", s.variables, correlate.MaxBlock)
	case s.top < 1:
		return fmt.Errorf("top %d is not 1 or more", s.top)
	}
	return nil
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
	fs := pflag.NewFlagSet("mpirun -n RANKS taskfarm "+name, pflag.ContinueOnError)
	fs.SortFlags = false
	return fs
}

func (s *settings) commonFlags(fs *pflag.FlagSet) {
	fs.IntVar(&s.slots, "slots", 4, "`number` of requests for tasks that a worker has under way")
	fs.IntVar(&s.fanout, "fanout", 1, "`number` of tasks that answer a request")
	fs.StringVar(&s.receives, "receives", "any-source", "`how` the manager receives:\nany-source, any-tag or named")
	fs.StringVar(&s.checkpoint, "checkpoint", "", "`file` that is written each minute and removed in the end; a job\nthat was interrupted goes on from it")
	fs.DurationVar(&s.report, "report", 0, "write a line of progress to standard error after each such `time`")
	fs.BoolVar(&s.json, "json", false, "print a summary in JSON to standard output, and no table")
}

// parse reads a command line. The error is a cli.UsageError or a cli.Help.
func parse(args []string) (s settings, err error) {
	if len(args) == 0 {
		return s, cli.Usagef("a command is missing: search, correlate or synthetic")
	}
	var fs *pflag.FlagSet
	var about string
	var check func() error
	switch args[0] {
	case "search":
		s.plan.Command = searching
		fs, about, check = s.searchFlags(), aboutSearch, func() error { return s.plan.Search.Check() }
	case "correlate":
		s.plan.Command = correlating
		fs, about, check = s.correlateFlags(), aboutCorrelate, s.checkCorrelate
	case "synthetic":
		s.plan.Command = synthesizing
		fs, about, check = s.syntheticFlags(), aboutSynthetic, func() error { return s.plan.Synthetic.Check() }
	case "help", "-h", "--help":
		return s, help()
	default:
		return s, cli.Usagef("%q is no command; search, correlate and synthetic are", args[0])
	}
	if err := cli.Parse(fs, args[1:], args[0]+": "+about+"\n"); err != nil {
		return s, err
	}
	switch {
	case s.slots < 1 || s.slots > maxAtOnce:
		return s, cli.Usagef("slots %d is not from 1 to %d", s.slots, maxAtOnce)
	case s.fanout < 1 || s.fanout > maxAtOnce:
		return s, cli.Usagef("fanout %d is not from 1 to %d", s.fanout, maxAtOnce)
	case !known(s.receives):
		return s, cli.Usagef("--receives %q is none of any-source, any-tag and named", s.receives)
	case s.report < 0:
		return s, cli.Usagef("--report %v is negative", s.report)
	case s.json && s.tsv == "-":
		return s, cli.Usagef("--json and --tsv - would both write to standard output")
	}
	if err := check(); err != nil {
		return s, cli.UsageError{Err: err}
	}
	return s, nil
}

// known reports whether the manager can receive so.
func known(how string) bool {
	_, found := receives[how]
	return found
}

// help is the text of taskfarm help.
func help() cli.Help {
	var s settings
	var b strings.Builder
	b.WriteString(`usage: mpirun -n RANKS taskfarm COMMAND [flag]...

Rank 0, the manager, hands out tasks to the other ranks, the workers. Without
mpirun there is one rank, which does everything itself.

`)
	b.WriteString("taskfarm search: " + aboutSearch + "\n")
	b.WriteString(s.searchFlags().FlagUsages())
	b.WriteString("\ntaskfarm correlate: " + aboutCorrelate + "\n")
	b.WriteString(s.correlateFlags().FlagUsages())
	b.WriteString("\ntaskfarm synthetic: " + aboutSynthetic + "\n")
	b.WriteString(s.syntheticFlags().FlagUsages())
	b.WriteString("\nOnly rank 0 reads the command line and files. See docs/taskfarm.md.\n\n")
	b.WriteString(cli.Statuses)
	return cli.Help(b.String())
}
