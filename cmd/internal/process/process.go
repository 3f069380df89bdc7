// Package process runs the process of a rank on this host: in a process group of its own, with pipes for what it writes and
// a connection for PMI, and with nothing left of it once it has ended.
package process

import (
	"net"
	"os"
	"os/exec"
	"slices"
)

// Command says what to run.
type Command struct {
	// Rank is one of Size ranks.
	Rank, Size int
	// Path is the file of the program, and Args are its arguments, its name first.
	Path string
	Args []string
	// Env is the whole environment but for the variables that tell of the connection for PMI.
	Env []string
	// Dir is the working directory; empty stands for this process's own.
	Dir string
	// Stdin is what it reads, nil for nothing.
	Stdin *os.File
	// Together: what it writes to standard output comes out of Stderr, in the order in which it was written, and Stdout is empty.
	Together bool
	// Processors are those on which it runs; none: it may run on all of this process's.
	Processors []int
	// Port, on systems where sockets cannot be inherited, is the address of a PMI server, and PortID what the rank presents to it.
	Port   string
	PortID int
}

// Process is a process that has been started.
type Process struct {
	command        *exec.Cmd
	stdout, stderr *os.File
	pmi            net.Conn
	signalGuard
}

// Start starts a process. On Linux it is killed when the thread that has started it ends: see [StartAll].
func Start(c Command) (*Process, error) {
	var readEnds []*os.File // to be closed unless the process starts
	pipe := func() (*os.File, error) {
		r, w, err := os.Pipe()
		if err == nil {
			readEnds = append(readEnds, r)
		}
		return w, err
	}
	fail := func(err error) (*Process, error) {
		for _, file := range readEnds {
			_ = file.Close()
		}
		return nil, err
	}

	stdout, err := pipe()
	if err != nil {
		return fail(err)
	}
	defer stdout.Close() // the process has its own
	stderr, err := pipe()
	if err != nil {
		return fail(err)
	}
	defer stderr.Close()
	theirs := stdout
	if c.Together {
		theirs = stderr
	}
	link, err := newLink(c)
	if err != nil {
		return fail(err)
	}
	defer link.closeTheirs()

	p := &Process{pmi: link.ours, command: &exec.Cmd{
		Path: c.Path, Args: c.Args, Dir: c.Dir, Env: slices.Concat(withOpenMPI(c.Env, c.Rank, c.Size), link.env),
		Stdout: theirs, Stderr: stderr, ExtraFiles: link.theirs,
		SysProcAttr: attributes(),
	}}
	if c.Stdin != nil {
		p.command.Stdin = c.Stdin
	}
	if err := on(c.Processors, p.command.Start); err != nil {
		link.closeOurs()
		return fail(explain(c.Path, err))
	}
	p.stdout, p.stderr = readEnds[0], readEnds[1]
	return p, nil
}

// Pid is the number of the process.
func (p *Process) Pid() int { return p.command.Process.Pid }

// Stdout is the reading end of the process's standard output.
func (p *Process) Stdout() *os.File { return p.stdout }

// Stderr is the reading end of the process's standard error.
func (p *Process) Stderr() *os.File { return p.stderr }

// PMI is the connection by which the process speaks PMI, nil where it connects to [Command.Port] itself.
func (p *Process) PMI() net.Conn { return p.pmi }
