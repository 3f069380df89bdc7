// Command mpibench measures the library, and other implementations beside it. See mpibench
// help and docs/performance.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/enginelink"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/tcplink"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/udplink"
)

// Exit statuses other than 0.
const (
	statusFailure     = 1
	statusUsage       = 2
	statusInterrupted = 130 // as shells have it for SIGINT
)

// peerCommand makes the program one end of a link. Only the program itself says it.
const peerCommand = "peer"

func main() {
	if status, ours := inner(os.Args[1:]); ours {
		os.Exit(status)
	}
	if err := restrict(os.Args[1:]); err != nil {
		os.Exit(exit(err, false, os.Stdout, os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	interrupted := ctx.Err() != nil
	stop()
	os.Exit(exit(err, interrupted, os.Stdout, os.Stderr))
}

// inner is what the program is when it has started itself: a peer of mpibench engine, a
// launcher, a rank, or a sequential program.
func inner(args []string) (status int, ours bool) {
	switch {
	case len(args) == 1 && args[0] == peerCommand:
		peer.Main(map[string]link.Transport{
			"engine": enginelink.Transport{}, "rawudp": udplink.Transport{}, "tcp": tcplink.Transport{},
		})
	case len(args) == 2 && args[0] == launch.Command:
		return launch.Main(args[1], os.Stdin, os.Stdout, os.Stderr), true
	case len(args) == 2 && args[0] == launch.RankCommand:
		return rank.Main(args[1], os.Stdin, os.Stdout, os.Stderr), true
	case len(args) == 1 && args[0] == launch.SequentialCommand:
		return rank.SequentialMain(os.Stdin, os.Stdout, os.Stderr), true
	}
	return 0, false
}

// restrict keeps commands that are about few cores from using more.
func restrict(args []string) error {
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name && c.cores > 0 {
			if err := machine.Restrict(c.cores); err != nil {
				return fmt.Errorf("restricting %s to %d cores: %w", c.name, c.cores, err)
			}
		}
	}
	return nil
}

// run does what the command line says.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return usagef("a command is missing, one of %s", commandNames())
	}
	name, args := args[0], args[1:]
	for _, c := range commands {
		if c.name == name {
			return runBench(ctx, c, args, stdout, stderr)
		}
	}
	switch name {
	case "engine":
		s, err := parseEngine(args)
		if err != nil {
			return err
		}
		return runEngine(ctx, s, stdout, stderr)
	case "help", "-h", "--help":
		return helpError{help()}
	}
	return usagef("%q is no command, which are %s", name, commandNames())
}

// exit prints an error, or the help that was asked for, and returns the exit status.
func exit(err error, interrupted bool, stdout, stderr io.Writer) int {
	var usage usageError
	var asked helpError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &asked):
		fmt.Fprint(stdout, asked.text)
		return 0
	case interrupted:
		fmt.Fprintln(stderr, "mpibench: interrupted")
		return statusInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "mpibench: %v\nSee mpibench help.\n", err)
		return statusUsage
	}
	fmt.Fprintf(stderr, "mpibench: %v\n", err)
	return statusFailure
}
