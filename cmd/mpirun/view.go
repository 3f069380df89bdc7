package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/cmd/internal/top"
)

// view shows a job that runs, as mpirun status does, once, or as mpirun top, until the job ends. The exit status is 0 if there is one.
func view(args []string, stdin *os.File, stdout, stderr io.Writer) int {
	fs := pflag.NewFlagSet("mpirun "+args[0], pflag.ContinueOnError)
	fs.Usage = func() {}
	asJSON := fs.Bool("json", false, "")
	every := fs.Duration("interval", time.Second, "")
	err := fs.Parse(args[1:])
	switch {
	case err != nil:
		err = plain(err)
	case fs.NArg() > 1:
		err = fmt.Errorf("%s takes one job: the process number of its mpirun, or its name", args[0])
	case *every < 0 || *every < leastInterval && args[0] == "top":
		err = fmt.Errorf("--interval %v: it must be %v at least", *every, leastInterval)
	}
	if err != nil {
		return usage(stdout, stderr, err)
	}
	jobs := sight.Find()
	if args[0] == "status" && fs.NArg() == 0 && len(jobs) > 1 && !*asJSON {
		fmt.Fprintf(stdout, "%d jobs; mpirun status NUMBER shows one:\n%s\n", len(jobs), sight.List(jobs))
		return 0
	}
	job, err := sight.Choose(jobs, fs.Arg(0))
	if err != nil {
		return say(stderr, err)
	}
	file, terminal := stdout.(*os.File)
	terminal = terminal && term.IsTerminal(int(file.Fd()))
	if args[0] == "top" && terminal && !*asJSON && term.IsTerminal(int(stdin.Fd())) {
		return say(stderr, top.Live(job.Look, *every, stdin, stdout))
	}
	screen := top.Screen{Styled: terminal && os.Getenv("NO_COLOR") == ""}
	if terminal {
		screen.Width, _, _ = term.GetSize(int(file.Fd()))
	}
	write := func(r top.Report) error {
		if *asJSON {
			return json.NewEncoder(stdout).Encode(r)
		}
		_, err := fmt.Fprintln(stdout, strings.Join(screen.Lines(r), "\n"))
		return err
	}
	err = follow(&job, *every, args[0] == "top", write)
	if status := say(stderr, err); args[0] == "top" || err == nil {
		return status
	}
	return 1
}

// leastInterval is that of top: ranks are not asked more often.
const leastInterval = 200 * time.Millisecond

// follow writes reports of a job: one, of the time between two looks, or one after the other until the job ends.
func follow(job *sight.Found, every time.Duration, on bool, write func(top.Report) error) error {
	var before sight.Job
	for first := true; ; first = false {
		now, err := job.Look()
		if err != nil {
			return err
		}
		if !first || every == 0 {
			if err := write(top.NewReport(now, before)); err != nil || !on {
				return err
			}
		}
		before = now
		time.Sleep(every)
	}
}

// say says why a job cannot be seen, or not any more. That it has ended while it was looked at is no failure.
func say(stderr io.Writer, err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, sight.ErrEnded):
		fmt.Fprintln(stderr, "mpirun: the job has ended")
		return 0
	}
	fmt.Fprintf(stderr, "mpirun: %v\n", err)
	return 1
}
