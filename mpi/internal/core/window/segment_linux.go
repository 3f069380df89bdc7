package window

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// sealed is what keeps the size of a file as it is, so that no access to its memory fails.
const sealed = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// newShared makes memory that other processes can open. It has no name, and goes with the last process that has it.
func newShared(size int) (*os.File, []byte, error) {
	fd, err := unix.MemfdCreate("sctpmpi-window", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, nil, fmt.Errorf("memfd_create: %w", err)
	}
	file := os.NewFile(uintptr(fd), "sctpmpi-window")
	err = unix.Fallocate(fd, 0, 0, int64(size)) // now, rather than a failure at the first access
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, sealed)
	}
	var memory []byte
	if err == nil {
		memory, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%d bytes of shared memory: %w", size, err), file.Close())
	}
	return file, memory, nil
}

// openShared opens memory that another process has made.
func openShared(path string, size int) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	seals, err := unix.FcntlInt(file.Fd(), unix.F_GET_SEALS, 0)
	if err != nil || seals&sealed != sealed {
		return nil, fmt.Errorf("%s is not the memory of a window", path)
	}
	if info, err := file.Stat(); err != nil || info.Size() != int64(size) {
		return nil, fmt.Errorf("%s has not the %d bytes of the window", path, size)
	}
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func unmap(memory []byte) { _ = unix.Munmap(memory) } // fails only for what is not mapped

// Host tells hosts apart, and the spaces of a host that have process numbers of their own.
func Host() uint64 {
	h := fnv.New64a()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	_, _ = h.Write(boot) // never fails
	_, _ = io.WriteString(h, space)
	return h.Sum64()
}
