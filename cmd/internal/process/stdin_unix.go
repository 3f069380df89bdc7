//go:build unix

package process

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Stdin is what rank 0 reads.
type Stdin struct {
	File *os.File // nil stands for nothing
	pipe *os.File // File, if it has to be closed here once rank 0 has it
}

// OpenStdin gives rank 0 the launcher's standard input itself, so that what it leaves unread stays there for others.
// A terminal it cannot have, being in the background of it: that is read here and passed on, unless the launcher is in
// the background too, where reading would stop it.
func OpenStdin(input *os.File) Stdin {
	if input == nil {
		return Stdin{}
	}
	foreground, err := unix.IoctlGetInt(int(input.Fd()), unix.TIOCGPGRP)
	if err != nil {
		return Stdin{File: input} // not a terminal, or not this session's
	}
	if foreground != unix.Getpgrp() {
		return Stdin{}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return Stdin{}
	}
	go func() {
		defer w.Close()
		_, _ = io.Copy(w, input)
	}()
	return Stdin{File: r, pipe: r}
}

// Close is called once rank 0 has been started.
func (s Stdin) Close() {
	if s.pipe != nil {
		_ = s.pipe.Close()
	}
}
