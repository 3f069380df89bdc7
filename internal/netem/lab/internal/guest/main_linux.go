// Package guest is what the init process of a lab does: it mounts what a system needs, loads the kernel's modules, runs the
// host's command, and passes on what goes in and out.
package guest

import (
	"encoding/gob"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

// line is what connects a lab and its host.
const line = "/dev/ttyS0"

// Booted reports whether this process is the first of a kernel booted for a lab, which sets the variable.
func Booted(variable string) bool {
	return os.Getpid() == 1 && os.Getenv(variable) != ""
}

// Main does the work of a lab and does not return. The host ends the machine when it has been told all; if there is no host
// any more the machine ends itself.
func Main() {
	err := serve()
	fmt.Fprintln(os.Stderr, "lab:", err) // the console, whose end the host shows
	unix.Sync()
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
	select {}
}

// serve runs the one command of the lab. It returns only if it cannot tell the host how that ended.
func serve() error {
	tty, err := os.OpenFile(line, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	if err := raw(tty); err != nil {
		return err
	}
	out := &replies{out: gob.NewEncoder(tty), credits: make(chan struct{}, wire.Credits)}
	in := gob.NewDecoder(&reader{tty, out})
	if err := out.send(wire.FromGuest{Ready: true}); err != nil {
		return err
	}
	var first wire.ToGuest
	if err := in.Decode(&first); err != nil || first.Spec == nil {
		return fmt.Errorf("the host has sent no command: %w", err)
	}
	exit, err := execute(first.Spec, in, out)
	last := wire.FromGuest{Exit: exit}
	if err != nil {
		last = wire.FromGuest{Failure: err.Error()}
	}
	unix.Sync() // scratch directories
	if err := out.send(last); err != nil {
		return err
	}
	// Ending the machine now would cut off what the line still holds. The host does it.
	select {}
}

// execute prepares the machine and runs the command.
func execute(spec *wire.Spec, in *gob.Decoder, out *replies) (*wire.Exit, error) {
	if err := prepare(spec); err != nil {
		return nil, err
	}
	return run(spec, in, out)
}

// replies sends messages to the host.
type replies struct {
	mu  sync.Mutex
	out *gob.Encoder

	credits chan struct{} // holds an element for each chunk under way
}

// sendChunk sends data when there is a credit for it.
func (r *replies) sendChunk(m wire.FromGuest) error {
	r.credits <- struct{}{}
	return r.send(m)
}

func (r *replies) send(m wire.FromGuest) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Encode(m)
}

// reader reads from the host and tells it how much.
type reader struct {
	tty *os.File
	out *replies
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.tty.Read(p)
	if err == nil {
		err = r.out.send(wire.FromGuest{Read: n})
	}
	return n, err
}

// raw makes a line carry bytes as they are.
func raw(tty *os.File) error {
	t, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		return os.NewSyscallError("TCGETS", err)
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return os.NewSyscallError("TCSETS", unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, t))
}
