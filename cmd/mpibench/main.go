// Command mpibench measures the library, and other MPI implementations beside it. See mpibench
// help and docs/performance.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

var program = cli.Program{Name: "mpibench", Help: "mpibench help", Run: run}

func main() {
	if status, started := startedByItself(os.Args[1:]); started {
		os.Exit(status)
	}
	if err := limitCores(os.Args[1:]); err != nil {
		os.Exit(program.Exit(err, false, os.Stdout, os.Stderr))
	}
	os.Exit(program.Main(os.Args[1:]))
}

// startedByItself handles the commands with which the program starts itself: as a launcher, as a
// rank, or as a sequential program.
func startedByItself(args []string) (status int, started bool) {
	switch {
	case len(args) == 2 && args[0] == launch.Command:
		return launch.Main(args[1], os.Stdin, os.Stdout, os.Stderr), true
	case len(args) == 2 && args[0] == launch.RankCommand:
		return rank.Main(args[1], os.Stdin, os.Stdout, os.Stderr), true
	case len(args) == 1 && args[0] == launch.SequentialCommand:
		return rank.SequentialMain(os.Stdin, os.Stdout, os.Stderr), true
	}
	return 0, false
}

// limitCores limits a command to its number of cores.
func limitCores(args []string) error {
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name && c.cores > 0 {
			if err := useCores(c.cores); err != nil {
				return fmt.Errorf("limiting %s to %d cores: %w", c.name, c.cores, err)
			}
		}
	}
	return nil
}

// run runs the command that is named first.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return cli.Usagef("a command is missing, one of %s", commandNames())
	}
	name, args := args[0], args[1:]
	for _, c := range commands {
		if c.name == name {
			return runBench(ctx, c, args, stdout, stderr)
		}
	}
	switch name {
	case distributionName:
		return distribution(args)
	case "help", "-h", "--help":
		return help()
	}
	return cli.Usagef("%q is not a command; the commands are %s", name, commandNames())
}
