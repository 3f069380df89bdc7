package lab

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/guest"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

const (
	// bootLimit is how long a kernel may take until it has begun to run the command. Two seconds
	// are usual.
	bootLimit = time.Minute
	// boots is how often a kernel is booted at most: about one of a thousand hangs before it has
	// begun to run the command.
	boots = 3
)

var errBoot = fmt.Errorf("the kernel of the lab has not begun to run the command within %v, at any of %d attempts: "+
	"this host has too little processor time for it (two seconds of it are usual; uptime shows who else wants it), or too little memory (--memory)", bootLimit, boots)

// initVariable is on the command line, and so in the environment of the first process, of a kernel booted for a lab.
const initVariable = "SCTPMPI_LAB_INIT"

// A program that a lab's kernel has started as its first process has no other task.
func init() {
	if guest.Booted(initVariable) {
		guest.Main()
	}
}

// run runs the command in a kernel of its own.
func (c *Cmd) run(spec *wire.Spec) (exit *wire.Exit, err error) {
	path, remove, err := initBinary()
	if err != nil {
		return nil, err
	}
	defer remove()
	library, remove, err := registersLibrary()
	if err != nil {
		return nil, err
	}
	defer remove()
	for range boots {
		if exit, err = c.runOnce(path, library, spec); !errors.Is(err, errBoot) {
			break
		}
	}
	return exit, err
}

// runOnce boots a kernel, has it run the command, and returns when nothing of it is left.
func (c *Cmd) runOnce(path, library string, spec *wire.Spec) (*wire.Exit, error) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	slow := time.AfterFunc(bootLimit, func() { cancel(errBoot) })
	defer slow.Stop()

	k, err := boot(path, library, c.config.Memory)
	if err != nil {
		return nil, err
	}
	defer k.conn.Close()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		k.watch()
	}()
	stop := context.AfterFunc(ctx, k.guard.kill)
	defer stop()

	exit, err := c.talk(ctx, k.conn, spec, slow)
	k.guard.kill()
	<-gone
	switch {
	case exit != nil:
		return exit, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return nil, fmt.Errorf("the kernel ended early: %s", k.console)
	}
	return nil, err
}

// errGuest is wrapped by failures that the guest has reported.
var errGuest = errors.New("in the lab")

// talk lets the guest run the command and passes on what it writes. It ends with the guest.
func (c *Cmd) talk(ctx context.Context, conn io.ReadWriter, spec *wire.Spec, slow *time.Timer) (*wire.Exit, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in, out := gob.NewDecoder(conn), newSender(ctx, conn)
	for {
		var m wire.FromGuest
		if err := in.Decode(&m); err != nil {
			return nil, err
		}
		switch {
		case m.Ready:
			out.send(wire.ToGuest{Spec: spec})
		case m.Begun:
			slow.Stop()
			if c.Stdin != nil {
				go out.input(c.Stdin)
			}
		case m.Read > 0:
			out.read(m.Read)
		case m.Taken:
			out.credit()
		case m.Exit != nil:
			return m.Exit, nil
		case m.Failure != "":
			return nil, fmt.Errorf("%w: %s", errGuest, m.Failure)
		default:
			if err := write(c.Stdout, m.Stdout); err != nil {
				return nil, fmt.Errorf("standard output: %w", err)
			}
			if err := write(c.Stderr, m.Stderr); err != nil {
				return nil, fmt.Errorf("standard error: %w", err)
			}
			out.send(wire.ToGuest{Taken: true})
		}
	}
}

func write(w io.Writer, p []byte) error {
	if w == nil || len(p) == 0 {
		return nil
	}
	_, err := w.Write(p)
	return err
}
