package file

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// shared is the pointer that all ranks have. It is eight bytes in a hidden file beside the data, which the ranks lock to change
// it: so no rank has to answer another, and a rank that dies holds up none. The hidden file is made when it is first needed.
type shared struct {
	path string

	mu      sync.Mutex
	file    *os.File
	initial int64 // where the pointer is as long as the hidden file is empty
}

// name has all ranks know the name of the hidden file. No other open file has it.
func (s *shared) name(comm Comm, path string) error {
	var id [8]byte
	if comm.Rank() == 0 {
		rand.Read(id[:])
	}
	if err := comm.Bcast(id[:], 0); err != nil {
		return lost(callOpen, err)
	}
	s.path = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%x.shared", filepath.Base(path), id))
	return nil
}

// change replaces the pointer by what to makes of it, and returns what it was, in etypes. No other rank changes it meanwhile.
func (s *shared) change(to func(int64) (int64, error)) (old int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		if s.file, err = openHidden(s.path); err != nil {
			s.file = nil
			return 0, fmt.Errorf("the file of the shared pointer: %w", err)
		}
	}
	if err := lock(s.file, true, 0, 8); err != nil {
		return 0, fmt.Errorf("the lock of the shared pointer: %w", err)
	}
	defer func() { err = errors.Join(err, unlock(s.file, 0, 8)) }()
	var b [8]byte
	switch _, err := s.file.ReadAt(b[:], 0); {
	case err == nil:
		old = int64(binary.LittleEndian.Uint64(b[:]))
	case errors.Is(err, io.EOF):
		old = s.initial
	default:
		return 0, err
	}
	next, err := to(old)
	if err != nil || next == old {
		return old, err
	}
	binary.LittleEndian.PutUint64(b[:], uint64(next))
	_, err = s.file.WriteAt(b[:], 0)
	return old, err
}

// openHidden opens the hidden file, which the first rank makes. The folder may be open to other users: a link that one has laid there is not
// followed, nor is anything taken that is no file.
func openHidden(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	if f, err = os.OpenFile(path, os.O_RDWR|noFollow, 0); err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is no file of this library", path), err, f.Close())
	}
	return f, nil
}

// add moves the pointer on, and returns where it was.
func (s *shared) add(n int64) (int64, error) {
	return s.change(func(old int64) (int64, error) {
		if old > farthest-n {
			return 0, errors.New("the shared pointer would leave the file")
		}
		return old + n, nil
	})
}

func (s *shared) get() (int64, error) {
	return s.change(func(old int64) (int64, error) { return old, nil })
}

// reset sets the pointer to 0. All ranks call it, and no rank uses the pointer meanwhile.
func (s *shared) reset(rank int) (err error) {
	if _, missing := os.Stat(s.path); missing == nil && rank == 0 {
		_, err = s.change(func(int64) (int64, error) { return 0, nil })
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initial = 0
	return err
}

func (s *shared) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// remove removes the hidden file, if some rank has needed it.
func (s *shared) remove() error {
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// shareable is the error of an operation with the shared pointer if the ranks have different views.
func (f *File) shareable(in call) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.alike {
		return mpierr.Invalid(in.op(), rpi.ErrUnsupported, "the ranks have different views of %q, so that they can have no pointer in common", f.path)
	}
	return nil
}
