package hostmem

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Seals keep a file's size, and themselves.
const Seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// New makes memory of size bytes, more than 0, all of them 0. All its pages are allocated, and count as this process's: ErrNoRoom
// says that there is no room for them. That is a look only: if several processes fill the host at the same time Linux may end
// one of them. The memory is freed when no process has it mapped or has a descriptor of it any more. Name is what /proc shows.
func New(name string, size int) (fd int, memory []byte, err error) {
	if fd, err = create(name); err != nil {
		return -1, nil, os.NewSyscallError("memfd_create", err)
	}
	if err = allocate(fd, size, room); err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, Seals)
		err = os.NewSyscallError("fcntl", err)
	}
	if err == nil {
		memory, err = mmap(fd, size)
	}
	if err != nil {
		_ = unix.Close(fd) // it has no data that could be lost
		return -1, nil, err
	}
	return fd, memory, nil
}

// create makes a file that cannot be executed, which some systems demand and Linux before 6.3 does not know.
func create(name string) (int, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate(name, flags)
	}
	return fd, err
}

const (
	// A signal undoes the call that it interrupts, so none allocates more than step.
	step = 1 << 20
	// Others take memory meanwhile, so that allocate looks again after so many bytes.
	lookAfter = 64 << 20
)

// allocate allocates a file's pages now, as there would be a failure at the first access otherwise: for all that Linux knows
// by then, it can only end a process, and not even the one to blame. Left is how many bytes there are.
func allocate(fd, size int, left func() (bytes int64, where string)) error {
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return os.NewSyscallError("ftruncate", err)
	}
	for at := 0; at < size; at += step {
		if at%lookAfter == 0 {
			if bytes, where := left(); bytes < int64(size-at) {
				return fmt.Errorf("%w for %d bytes of shared memory: %s has %d bytes", ErrNoRoom, size, where, max(0, bytes+int64(at)))
			}
		}
		err := error(unix.EINTR)
		for err == unix.EINTR {
			err = unix.Fallocate(fd, 0, int64(at), int64(min(step, size-at)))
		}
		if err != nil {
			return os.NewSyscallError("fallocate", err)
		}
	}
	return nil
}

// Map maps the file of another process as memory of size bytes, if New has made it so. The caller keeps the descriptor.
func Map(fd int, size int64) ([]byte, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return nil, os.NewSyscallError("fstat", err)
	}
	has, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	switch {
	case stat.Mode&unix.S_IFMT != unix.S_IFREG || err != nil:
		return nil, fmt.Errorf("%w: no memory file", ErrUnfit)
	case has&Seals != Seals:
		return nil, fmt.Errorf("%w: seals %#x, must have %#x", ErrUnfit, has, Seals)
	case stat.Size != size || size <= 0 || size > math.MaxInt:
		return nil, fmt.Errorf("%w: it has %d bytes, and %d were said", ErrUnfit, stat.Size, size)
	case stat.Blocks*512 < size:
		return nil, fmt.Errorf("%w: of %d bytes %d are allocated", ErrUnfit, size, stat.Blocks*512)
	}
	memory, err := mmap(fd, int(size))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	return memory, nil
}

func mmap(fd, size int) ([]byte, error) {
	memory, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return memory, os.NewSyscallError("mmap", err)
}

// Unmap gives memory back, which may be nil. It must not be touched any more: that ends the process.
func Unmap(memory []byte) {
	if memory != nil {
		_ = unix.Munmap(memory)
	}
}
