// Command mpirun starts the processes of a parallel job on this host or on several, connects them to a PMI server, merges what
// they write line by line, and ends all of them when one fails. See docs/launching.md.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// statusUsage is the exit status for a command line that no job can be made of.
const statusUsage = 2

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// patience and answerTime are Spec.Patience and Spec.Answer, which only tests set.
var patience, answerTime time.Duration

// beat is how often mpirun and its proxies say that they are there. Tests want it more often.
var beat = proxy.Beat

// run does what the command line says and returns the exit status.
func run(args []string, stdin *os.File, stdout, stderr io.Writer) int {
	if status, done := aside(args, stdin, stdout, stderr); done {
		return status
	}
	spec, err := parse(args, os.LookupEnv)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, help())
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "mpirun: %v\n", err)
		var failure *process.ProgramError
		if errors.As(err, &failure) {
			return failure.Status
		}
		fmt.Fprintln(stderr, "mpirun: see mpirun --help")
		return statusUsage
	}
	if spec.DryRun {
		job.Describe(stdout, spec)
		return 0
	}
	spec.Stdin, spec.Stdout, spec.Stderr = stdin, stdout, stderr
	spec.Patience, spec.Answer, spec.Beat = patience, answerTime, beat
	if f, ok := stderr.(*os.File); ok {
		spec.Terminal = term.IsTerminal(int(f.Fd()))
	}
	return job.Run(spec)
}

// aside does what is not a job, if args say so. A program with such a name is ./NAME.
func aside(args []string, stdin *os.File, stdout, stderr io.Writer) (status int, done bool) {
	if len(args) == 1 && args[0] == "--proxy" { // another mpirun has started this one here
		return proxy.Serve(stdin, os.Stdout, beat), true
	}
	if len(args) == 1 {
		switch args[0] {
		case "help":
			fmt.Fprint(stdout, help())
			return 0, true
		case "--version", "-version", "-V":
			fmt.Fprintf(stdout, "sctpmpi %s (%s %s/%s)\n", rpi.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return 0, true
		}
	}
	if len(args) > 0 && args[0] == "doctor" {
		return examine(args[1:], stdout, stderr), true
	}
	if len(args) > 0 && (args[0] == "status" || args[0] == "top") {
		return view(args, stdin, stdout, stderr), true
	}
	if len(args) < 2 || args[1] == "" || args[1][0] != '-' {
		return 0, false
	}
	switch args[0] {
	case "serve":
		return serve(args, stdout, stderr), true
	case "connect":
		return connect(args, stdin, stdout, stderr), true
	}
	return 0, false
}
