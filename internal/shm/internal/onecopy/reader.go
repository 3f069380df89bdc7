package onecopy

import (
	"errors"
	"fmt"
)

// Why memory has not been read.
var (
	ErrNotSupported = fmt.Errorf("reading a peer's memory needs Linux 5.3: %w", errors.ErrUnsupported)
	// ErrForbidden: Yama, seccomp, another user or user namespace, or a process that is not dumpable.
	ErrForbidden = errors.New("the system forbids to read its memory")
	// ErrGone: the peer has ended.
	ErrGone = errors.New("it has ended")
	// ErrRange: the peer has no readable memory there, or not so much.
	ErrRange = errors.New("no readable memory of its own")
	// ErrProbe: what was read is not the peer's nonce.
	ErrProbe = errors.New("what was read is not what the peer has there")
)

// Reader reads the memory of one peer. Its methods may be called at the same time.
type Reader struct{ pid, pidfd int }

// NewReader returns the reader of a peer: its number as this process sees it, and its pidfd, which stays the caller's and
// must be open as long as the reader is used. That both are the same process's is the caller's to know.
func NewReader(pid, pidfd int) *Reader { return &Reader{pid, pidfd} }

// Read reads the len(dst) bytes at address addr of the peer. Without an error n is len(dst). With one it is 0, and what is in
// dst is not defined.
//
// It does not block for long: some 10 ms for 64 MiB. A message should be read in pieces of 64 KiB to 1 MiB, which is
// fastest, and lets others pass. A call costs two system calls, and allocates nothing.
func (r *Reader) Read(dst []byte, addr uint64) (n int, err error) {
	err = read(r.pid, dst, addr)
	if alive, e := alive(r.pidfd); e != nil {
		return 0, e
	} else if !alive {
		return 0, ErrGone
	}
	if err != nil {
		return 0, err
	}
	return len(dst), nil
}

// Alive reports whether the peer has not ended.
func (r *Reader) Alive() bool {
	alive, err := alive(r.pidfd)
	return alive && err == nil
}
