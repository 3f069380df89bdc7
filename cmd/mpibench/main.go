// Command mpibench measures what the library is made of. See mpibench help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/enginelink"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
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
	if len(os.Args) == 2 && os.Args[1] == peerCommand {
		peer.Main(map[string]link.Transport{
			"engine": enginelink.Transport{}, "rawudp": udplink.Transport{}, "tcp": tcplink.Transport{},
		})
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	interrupted := ctx.Err() != nil
	stop()
	os.Exit(report(err, interrupted, os.Stdout, os.Stderr))
}

// run does what the command line says.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return usagef("a command is missing: engine is one")
	}
	switch args[0] {
	case "engine":
		s, err := parseEngine(args[1:])
		if err != nil {
			return err
		}
		return runEngine(ctx, s, stdout, stderr)
	case "help", "-h", "--help":
		return pflag.ErrHelp
	}
	return usagef("%q is no command; engine is one", args[0])
}

// report prints an error, or the help that was asked for, and returns the exit status.
func report(err error, interrupted bool, stdout, stderr io.Writer) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help())
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
