package guest

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

// std are both ends of a command's standard files.
type std struct {
	command [3]*os.File

	stdin          io.WriteCloser // nil if the command has nothing to read
	stdout, stderr *os.File       // stderr is nil if it is one with stdout
}

// closeCommand closes the command's own ends.
func (s *std) closeCommand() {
	for _, f := range s.command {
		f.Close()
	}
}

func open(spec *wire.Spec) (*std, error) {
	if spec.Terminal != nil {
		return openTerminal(spec.Terminal)
	}
	var s std
	var err error
	if spec.Stdin {
		var w *os.File
		if s.command[0], w, err = os.Pipe(); err != nil {
			return nil, err
		}
		s.stdin = w
	} else if s.command[0], err = os.Open(os.DevNull); err != nil {
		return nil, err
	}
	if s.stdout, s.command[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	s.stderr, s.command[2], err = os.Pipe()
	return &s, err
}

// openTerminal makes a pseudo terminal: the command gets its terminal's end.
func openTerminal(size *wire.Window) (*std, error) {
	master, err := os.OpenFile("/dev/pts/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		return nil, os.NewSyscallError("TIOCGPTN", err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return nil, os.NewSyscallError("TIOCSPTLCK", err)
	}
	window := unix.Winsize{Row: size.Rows, Col: size.Cols}
	if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &window); err != nil {
		return nil, os.NewSyscallError("TIOCSWINSZ", err)
	}
	s := &std{stdin: terminalInput{master}, stdout: master}
	for i := range s.command {
		if s.command[i], err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// terminalInput writes to a terminal. Its end is a character there, as output goes on.
type terminalInput struct{ *os.File }

const endOfInput = 4 // Ctrl-D

func (t terminalInput) Close() error {
	_, err := t.Write([]byte{endOfInput})
	return err
}
