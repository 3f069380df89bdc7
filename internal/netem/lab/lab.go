// Package lab runs commands in a throw-away virtual machine whose Linux kernel has SCTP, netem, veth, bridges and
// network namespaces, whatever the host's kernel has. It is for any program or test, with MPI or without.
//
// The machine is User Mode Linux: a kernel that is an ordinary process. It needs no root, no KVM and no image. The command
// sees the host's files at their places, read-only but for the scratch directories, runs as root, has loopback and nothing
// else for a network, and a /tmp of its own on top of the host's. See docs/lab.md for what its figures mean.
//
// A program that imports this package is also the init process of its labs: a kernel that was booted for a lab starts the
// program again, as process 1, and it then never reaches main. Programs built with the race detector are too large for
// the lab's address space; in these, Run builds a plain init process by means of the go command.
package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

// Sizes of a lab's memory in bytes. The host provides only what the lab has touched.
const (
	DefaultMemory = 1 << 30
	minMemory     = 128 << 20
)

// insideVariable is set in the environment of commands in a lab.
const insideVariable = "SCTPMPI_LAB"

// ErrUnavailable is wrapped by the errors of Probe and Run where this host cannot run labs.
var ErrUnavailable = errors.New("the lab is not available")

// Config says what the lab is like. Its zero value is useful.
type Config struct {
	Memory  int64    // bytes; zero is DefaultMemory, the least is 128 MiB
	Env     []string // of the command; nil is that of this process. TMPDIR is /tmp in any case
	Dir     string   // working directory; empty is that of this process
	Scratch []string // directories of the host that the command may write to
}

// Window is the size of a terminal in characters.
type Window = wire.Window

// Cmd is a command to be run in a lab of its own. Set its exported fields before Run.
type Cmd struct {
	Path string   // of the program, made absolute
	Args []string // with the program's name as the first

	// Stdin is nil for no input. As Run does not wait for a pending Read, it may read, and lose, a little input after
	// the command has ended. Nil writers discard. Run writes to Stdout and Stderr from one goroutine.
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// Terminal, unless nil, gives the command a terminal of this size. All that is written there goes to Stdout.
	Terminal *Window

	ctx    context.Context
	config Config
	err    error // from looking for the program
}

// ExitError is Run's error when the command ran but failed.
type ExitError struct {
	Code   int            // exit status, -1 if killed by a signal
	Signal syscall.Signal // that killed the command, or zero
}

func (e *ExitError) Error() string {
	if e.Signal != 0 {
		return "killed by signal: " + e.Signal.String()
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// Inside reports whether this process runs in a lab.
func Inside() bool {
	return os.Getenv(insideVariable) != ""
}

// Command makes a command to be run in a lab of its own. A name without a slash is looked for in PATH; one with a slash
// is relative to the working directory of the command. The end of ctx kills the lab with everything in it.
func Command(ctx context.Context, config Config, name string, args ...string) *Cmd {
	c := &Cmd{Path: name, Args: append([]string{name}, args...), ctx: ctx, config: config}
	if filepath.Base(name) != name && !filepath.IsAbs(name) {
		c.Path, c.err = filepath.Abs(filepath.Join(config.Dir, name))
	}
	if c.err == nil {
		c.Path, c.err = exec.LookPath(c.Path)
	}
	if c.err == nil {
		c.Path, c.err = filepath.Abs(c.Path)
	}
	return c
}

// Run boots a lab, runs the command in it and ends the lab. It returns nil if the command exited with status 0, an
// *ExitError if it failed otherwise, the cause of the context's end if that came first, an error wrapping
// ErrUnavailable if this host has no lab, one wrapping exec.ErrNotFound if there is no such program, and other errors
// if the lab itself failed.
//
// When Run returns, nothing of the lab is left: no process, mount or file. Processes that the command has started end
// with it, as in a container. If this process is killed, its labs end too.
func (c *Cmd) Run() error {
	spec, err := c.spec()
	if err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	if err := context.Cause(c.ctx); err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	if err := Probe(); err != nil {
		return err
	}
	exit, err := c.run(spec)
	if err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	switch {
	case exit.Signal != 0:
		return &ExitError{Code: -1, Signal: syscall.Signal(exit.Signal)}
	case exit.Code != 0:
		return &ExitError{Code: exit.Code}
	}
	return nil
}

// spec checks the configuration and puts it in the guest's terms.
func (c *Cmd) spec() (*wire.Spec, error) {
	if c.err != nil {
		return nil, c.err
	}
	c.config.Memory = cmp.Or(c.config.Memory, DefaultMemory)
	if c.config.Memory < minMemory {
		return nil, fmt.Errorf("%d bytes of memory are too few: a lab needs %d", c.config.Memory, minMemory)
	}
	dir, err := directory(c.config.Dir)
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	spec := &wire.Spec{Path: c.Path, Args: c.Args, Dir: dir, Stdin: c.Stdin != nil, Terminal: c.Terminal}
	for _, scratch := range c.config.Scratch {
		if scratch == "" {
			return nil, errors.New("scratch directory: the name is empty")
		}
		if scratch, err = directory(scratch); err != nil {
			return nil, fmt.Errorf("scratch directory: %w", err)
		}
		spec.Scratch = append(spec.Scratch, scratch)
	}
	env := c.config.Env
	if env == nil {
		env = os.Environ()
	}
	spec.Env = environment(env, insideVariable+"=1", "TMPDIR=/tmp", "PWD="+dir)
	return spec, nil
}

// environment joins settings. Of those of the same variable the last counts.
func environment(env []string, more ...string) []string {
	var joined []string
	seen := map[string]bool{}
	for _, setting := range slices.Backward(slices.Concat(env, more)) {
		if name, _, _ := strings.Cut(setting, "="); !seen[name] {
			seen[name] = true
			joined = append(joined, setting)
		}
	}
	return joined
}

// directory makes the name of a directory absolute. Symbolic links are resolved, for mounting on one fails.
func directory(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return "", err
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory", name)
	}
	return name, nil
}
