package shm

import (
	"errors"
	"syscall"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
)

// Probe says why ranks of this host could share no memory, nil if they could: two of a job of so many ranks, under the limits of this
// process. It makes all that they would, and gives it back. The error wraps errors.ErrUnsupported where the system has nothing of the kind.
func Probe(ranks int) error {
	if _, err := meeting.Here(); err != nil {
		return err
	}
	for _, size := range []int{ring.InboxSize(ranks), ring.PairSize(ranks)} {
		s, err := meeting.NewSegment(wholePages(size))
		if err != nil {
			return err
		}
		defer s.Close()
	}
	return meeting.Probe()
}

// Remedy says what mends an error of Probe, or of what a rank says of memory that it does not share; empty if that is not known.
func Remedy(err error) string {
	switch {
	case errors.Is(err, syscall.EFBIG):
		return "ulimit -f unlimited"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, meeting.ErrDescriptors):
		return "a higher limit of open files (ulimit -n)"
	case errors.Is(err, syscall.ENFILE):
		return "a higher fs.file-max"
	case errors.Is(err, meeting.ErrNoRoom), errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.ENOSPC):
		return "more memory for this process"
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		return "let the seccomp filter of the container pass it"
	}
	return ""
}

// notice says, once, why this process shares no memory with a peer though both are on one host: something that its user can mend. That the
// peer is elsewhere, or does not want to, is nothing of that kind.
func (l *Link) notice(rank int, err error) {
	remedy := Remedy(err)
	if remedy == "" || errors.Is(err, meeting.ErrRefused) {
		return
	}
	l.noticed.Do(func() {
		l.cfg.Notice("no shared memory with rank %d, nor perhaps with others: %v; messages take the network, which is slower. Mend it: %s", rank, err, remedy)
	})
}

// noticeNone is notice where no peer can be met at all.
func (l *Link) noticeNone(err error) {
	if remedy := Remedy(err); remedy != "" {
		l.cfg.Notice("no shared memory with other ranks: %v; messages take the network, which is slower. Mend it: %s", err, remedy)
	}
}
