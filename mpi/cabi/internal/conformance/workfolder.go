package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// occupy keeps other runs out of the work folder, as all of them build there under the same names. It waits until the one that is
// there has ended. The end of the process gives the folder back.
func (s settings) occupy() error {
	fd, err := unix.Open(filepath.Join(s.work, ".lock"), unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC, 0o600) // stays open
	if err != nil {
		return fmt.Errorf("%s: %w", s.work, err)
	}
	if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		fmt.Fprintf(os.Stderr, "conformance: another run uses %s: waiting for its end\n", s.work)
		for err = unix.EINTR; err == unix.EINTR; {
			err = unix.Flock(fd, unix.LOCK_EX)
		}
	}
	return err
}

// withoutBlanks gives bin a name that the programs' own builds can use: configure and make take a blank for the end of a name.
func (s *settings) withoutBlanks() error {
	if strings.ContainsAny(s.work, " \t") {
		return fmt.Errorf("-work %q has a blank, with which configure and make cannot build: name another folder (make: WORK=...)", s.work)
	}
	if !strings.ContainsAny(s.bin, " \t") {
		return nil
	}
	link := filepath.Join(s.work, "tree")
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Symlink(filepath.Dir(s.bin), link); err != nil {
		return err
	}
	s.bin = filepath.Join(link, filepath.Base(s.bin))
	return nil
}
