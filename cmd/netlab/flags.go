package main

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/publish"
	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
)

// options are what a command line says.
type options struct {
	verb    string
	config  lab.Config
	timeout time.Duration // zero for none
	command []string

	hosts      int    // of exec; 0 for the lab alone
	conditions string // of their network

	experiments experimentOptions // of run and report
}

func (o *options) flagSet() *pflag.FlagSet {
	fs := pflag.NewFlagSet("netlab", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.SetInterspersed(false)
	fs.Usage = func() {}
	fs.Int64Var(&o.config.Memory, "memory", lab.DefaultMemory>>20, "memory of the lab in `MiB`")
	fs.StringVar(&o.config.Dir, "dir", "", "working `directory` of the command, if not the current one")
	fs.IntVar(&o.hosts, "hosts", 0, "run the program of exec on the first of this `number` of emulated hosts; sctpmpi's mpirun\nspreads its ranks over them")
	fs.StringVar(&o.conditions, "conditions", "", "what packets between hosts meet, such as \"delay 10ms loss 1% reorder 5%\", as tc-netem(8)\nhas it")
	fs.StringArrayVar(&o.config.Scratch, "scratch", nil, "let the command write to this `directory` of the host; may be repeated")
	fs.DurationVar(&o.timeout, "timeout", 0, "kill the lab after this `duration`, such as 90s, with status 124")
	return fs
}

// parse reads a command line. The error is a cli.UsageError or a cli.Help.
func parse(args []string) (options, error) {
	var o options
	if len(args) == 0 {
		return o, cli.Usagef("a command is missing: list, plan, run, report, page, exec, shell or probe")
	}
	o.verb = args[0]
	switch o.verb {
	case "exec", "shell", "probe":
	case "list", "plan", "run", "report", "jobs": // jobs is what run runs in a lab
		return o, o.parseExperiments(args[1:])
	case "page":
		o.command = args[1:]
		if len(o.command) == 0 {
			return o, cli.Usagef("page needs the template of a page, such as docs/experiments.md%s", publish.Suffix)
		}
		return o, nil
	case "rank": // what run has ranks be; not for people
		o.command = args[1:]
		return o, nil
	case "help", "-h", "--help":
		return o, help()
	default:
		return o, cli.Usagef("%q is no command; list, plan, run, report, page, exec, shell and probe are", o.verb)
	}
	fs := o.flagSet()
	if err := parseFlags(fs, args[1:]); err != nil {
		return o, err
	}
	o.command = fs.Args()
	switch {
	case o.verb == "exec" && len(o.command) == 0:
		return o, cli.Usagef("exec needs a program to run")
	case o.verb != "exec" && len(o.command) > 0:
		return o, cli.Usagef("%s takes no arguments, there is %q", o.verb, o.command[0])
	case o.config.Memory <= 0 || o.config.Memory > 1<<20:
		return o, cli.Usagef("--memory %d: it must be from 128 to %d MiB", o.config.Memory, 1<<20)
	case o.verb != "exec" && (fs.Changed("hosts") || fs.Changed("conditions")):
		return o, cli.Usagef("--hosts and --conditions are for exec")
	case fs.Changed("hosts") && (o.hosts < 2 || o.hosts > netem.MaxHosts):
		return o, cli.Usagef("--hosts %d: it must be from 2 to %d", o.hosts, netem.MaxHosts)
	case o.conditions != "" && o.hosts == 0:
		return o, cli.Usagef("--conditions needs --hosts: conditions are those of a network between hosts")
	case fs.Changed("timeout") && o.timeout <= 0:
		return o, cli.Usagef("--timeout %v: it must be longer than nothing", o.timeout)
	}
	if _, err := netem.Parse(o.conditions); err != nil {
		return o, cli.Usagef("--conditions: %w", err)
	}
	o.config.Memory <<= 20
	return o, nil
}

// parseFlags reads flags. The error is a cli.UsageError or a cli.Help.
func parseFlags(fs *pflag.FlagSet, args []string) error {
	err := fs.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return help()
	case err != nil:
		return cli.UsageError{Err: err}
	}
	return nil
}

func help() cli.Help {
	return cli.Help(`netlab measures MPI over TCP and SCTP in networks with delay and loss, and runs programs in a throw-away virtual
machine whose Linux kernel has SCTP and netem.

	netlab list [--quick]                        the experiments, with their questions
	netlab plan [flags] [EXPERIMENT…]            what a run would do: cells, jobs, time
	netlab run [flags] EXPERIMENT…               run experiments, or all, and write a report
	netlab report [--out DIR]                    write the report of a run again
	netlab page TEMPLATE…                        fill in pages with the results in CSV files

	netlab exec [flags] -- PROGRAM [ARGUMENTS]   run a program; its exit status is netlab's
	netlab exec --hosts N [--conditions "…"] -- mpirun -n RANKS PROGRAM
	                                             run any job on emulated hosts, in a network with delay and loss
	netlab shell [flags]                         look around
	netlab probe                                 say whether this host can run labs

Experiments run on this host if netlab is root and the kernel has SCTP and netem, otherwise in the virtual machine.
An interrupted run leaves its results, and a report of them: go on with it by --resume, as often as needed. See docs/experiments.md. Flags of run:

` + new(options).experimentFlags().FlagUsages() + `
A program in the virtual machine runs as root. It sees the files of this host and can write below /tmp, where what it
writes is gone at the end, and to scratch directories. The network is the machine's own. Flags of exec and shell:

` + new(options).flagSet().FlagUsages() + `
Exit status: that of the program, 128 + the signal that killed it or netlab, 124 when the time is up, 125 when
the lab is missing or fails, 126 and 127 when the program cannot be run or is not found, 2 for a wrong command line.
`)
}
