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
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// examine says what this host lacks, or other hosts, one after the other, or which MPI a program takes. The exit status is 0 if jobs
// run, or the program does.
func examine(args []string, stdout, stderr io.Writer) int {
	var o hostOptions
	fs := pflag.NewFlagSet("mpirun doctor", pflag.ContinueOnError)
	fs.Usage = func() {}
	o.addTo(fs)
	err := fs.Parse(args)
	named := o.list != "" || o.file != ""
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help())
		return 0
	case err != nil:
	case fs.NArg() > 1 || named && fs.NArg() > 0 || fs.NFlag() > 0 && !named:
		err = errors.New("doctor takes --host or --hostfile, and what says how they are reached, or a program")
	case fs.NArg() == 1:
		var file string
		if file, err = process.FindFile(fs.Arg(0)); err == nil {
			findings := doctor.Program(file)
			doctor.Write(stdout, findings)
			return statusFor(findings)
		}
		fmt.Fprintf(stderr, "mpirun: %v\n", err)
		return process.StatusNotFound
	case !named:
		findings := doctor.Examine()
		doctor.Report(stdout, findings)
		return statusFor(findings)
	default:
		return examineHosts(&o, stdout, stderr)
	}
	fmt.Fprintf(stderr, "mpirun: %v\nmpirun: see mpirun --help\n", err)
	return statusUsage
}

// statusFor is 1 if a finding is fatal.
func statusFor(findings []doctor.Finding) int {
	if doctor.Worst(findings) == doctor.Broken {
		return 1
	}
	return 0
}

func examineHosts(o *hostOptions, stdout, stderr io.Writer) int {
	spec := job.Spec{Apps: []job.App{{N: 1, Name: "mpirun", Args: []string{"mpirun", "doctor"}}}, Grace: defaultGrace, LaunchTimeout: o.launchTimeout, Beat: beat}
	list, err := o.read()
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
