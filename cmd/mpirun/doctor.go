package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/doctor"
	"github.com/sctpmpi/sctpmpi/cmd/internal/hosts"
	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
)

// examine says what this host lacks. The exit status tells whether jobs run here.
func examine(w io.Writer) int {
	findings := doctor.Examine()
	doctor.Report(w, findings)
	if doctor.Worst(findings) == doctor.Broken {
		return 1
	}
	return 0
}

// examineHosts says what other hosts lack, one after the other. The exit status is 0 if jobs run on all of them.
func examineHosts(args []string, stdout, stderr io.Writer) int {
	var o hostOptions
	fs := pflag.NewFlagSet("mpirun doctor", pflag.ContinueOnError)
	fs.Usage = func() {}
	o.addTo(fs)
	err := fs.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help())
		return 0
	case err == nil && (fs.NArg() > 0 || o.list == "" && o.file == ""):
		err = errors.New("doctor takes --host or --hostfile, and what says how they are reached")
	}
	spec := job.Spec{Apps: []job.App{{N: 1, Name: "mpirun", Args: []string{"mpirun", "doctor"}}}, Grace: defaultGrace, LaunchTimeout: o.launchTimeout, Beat: beat}
	var list hosts.List
	if err == nil {
		list, err = o.read()
	}
	if err == nil {
		spec.Shell, err = o.shell()
	}
	if err == nil {
		spec.Apps[0].Path, err = os.Executable()
	}
	if err != nil {
		fmt.Fprintf(stderr, "mpirun: %v\nmpirun: see mpirun --help\n", err)
		return statusUsage
	}
	worst := 0
	for _, host := range list {
		local := hosts.IsLocal(host.Name)
		if spec.Shell.Strict && !local {
			spec.Apps[0].Path = spec.Shell.Mpirun
		}
		spec.Hosts = []job.Host{{Name: host.Name, Local: local, Ranks: []int{0}}}
		fmt.Fprintf(stdout, "host %s\n", host.Name)
		report, words := counted{Writer: stdout}, output.Head{}
		spec.Stdout, spec.Stderr = &report, &words
		status := job.Run(spec)
		if report.written == 0 || status > 1 { // else the report says all
			_, _ = stderr.Write(words.Bytes())
		}
		worst = max(worst, status)
		if status > 128 { // a signal: the user has enough
			break
		}
	}
	return worst
}

// counted is a writer that knows how many bytes have been written.
type counted struct {
	io.Writer
	written int
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.written += n
	return n, err
}
