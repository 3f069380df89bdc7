//go:build unix

package job

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// stdin is what rank 0 reads.
type stdin struct {
	file *os.File // nil stands for nothing
	pipe *os.File // file, if it has to be closed here once rank 0 has it
}

// openStdin gives rank 0 the launcher's standard input itself, so that what it leaves unread stays there for others.
// A terminal it cannot have, being in the background of it: that is read here and passed on, unless the launcher is in
// the background too, where reading would stop it.
func openStdin(input *os.File) stdin {
	if input == nil {
		return stdin{}
	}
	foreground, err := unix.IoctlGetInt(int(input.Fd()), unix.TIOCGPGRP)
	if err != nil {
		return stdin{file: input} // not a terminal, or not this session's
	}
	if foreground != unix.Getpgrp() {
		return stdin{}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return stdin{}
	}
	go func() {
		defer w.Close()
		_, _ = io.Copy(w, input)
	}()
	return stdin{file: r, pipe: r}
}

func (s stdin) close() {
	if s.pipe != nil {
		_ = s.pipe.Close()
	}
}
