package meeting

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// format is the version of identities, and so of places.
const format = "1"

func here() (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	identity := format + "/" + strings.ReplaceAll(strings.TrimSpace(string(boot)), "-", "")
	for _, namespace := range []string{"net", "pid", "user"} {
		var stat unix.Stat_t
		if err := unix.Stat("/proc/thread-self/ns/"+namespace, &stat); err != nil {
			return "", fmt.Errorf("/proc/thread-self/ns/%s: %w", namespace, err)
		}
		identity += fmt.Sprintf("/%d", stat.Ino)
	}
	return fmt.Sprintf("%s/%d", identity, os.Geteuid()), nil
}

// peerOf returns the process that has made the other end of a connection. That it is this process is certain only
// when the other end has answered what is sent from now on: see the package's comment.
func peerOf(conn *net.UnixConn) (Process, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return noProcess, err
	}
	var credentials *unix.Ucred
	if e := raw.Control(func(fd uintptr) {
		credentials, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); e != nil {
		return noProcess, e
	}
	if err != nil {
		return noProcess, os.NewSyscallError("getsockopt", err)
	}
	if credentials.Uid != uint32(os.Geteuid()) {
		return noProcess, fmt.Errorf("%w: %d, and this one's is %d", ErrUser, credentials.Uid, os.Geteuid())
	}
	if credentials.Pid <= 0 {
		return noProcess, ErrInvisible
	}
	fd, err := unix.PidfdOpen(int(credentials.Pid), 0)
	if err != nil {
		return noProcess, unsupported("pidfd_open", err)
	}
	return Process{PID: int(credentials.Pid), Pidfd: fd}, nil
}

func unsupported(call string, err error) error {
	if errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("%w (%s)", ErrNotSupported, call)
	}
	return os.NewSyscallError(call, err)
}

// rightsSize is the room for the descriptors of an offer.
var rightsSize = unix.CmsgSpace(4 * (MaxSegments + 1))

func rights(fds []int) []byte {
	if len(fds) == 0 {
		return nil
	}
	return unix.UnixRights(fds...)
}

// parseRights returns all descriptors in oob, also if that is not all.
func parseRights(oob []byte, flags int) (fds []int, err error) {
	messages, err := unix.ParseSocketControlMessage(oob)
	for _, m := range messages {
		some, notRights := unix.ParseUnixRights(&m)
		fds = append(fds, some...)
		err = errors.Join(err, notRights)
	}
	switch {
	case flags&unix.MSG_CTRUNC != 0:
		err = ErrDescriptors
	case err != nil || flags&unix.MSG_TRUNC != 0:
		err = ErrGarbage
	}
	return fds, err
}

// seals keep a segment's size, and themselves.
const seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

func newSegment(size int) (*Segment, error) {
	if err := checkRoom("/proc/self/cgroup", "/sys/fs/cgroup", size); err != nil {
		return nil, err
	}
	fd, err := memfd()
	if err != nil {
		return nil, unsupported("memfd_create", err)
	}
	s := &Segment{fd: fd}
	if err := s.prepare(size); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// memfd makes a file that cannot be executed, which some systems demand and Linux before 6.3 does not know.
func memfd() (int, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate("sctpmpi", flags|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate("sctpmpi", flags)
	}
	if err != nil {
		return -1, err
	}
	return fd, nil
}

func (s *Segment) prepare(size int) (err error) {
	if err := unix.Ftruncate(s.fd, int64(size)); err != nil {
		return os.NewSyscallError("ftruncate", err)
	}
	// A signal undoes the call that it interrupts, so none is long.
	const step = 1 << 20
	for at := 0; at < size; at += step {
		err := error(unix.EINTR)
		for err == unix.EINTR {
			err = unix.Fallocate(s.fd, 0, int64(at), int64(min(step, size-at)))
		}
		if err != nil {
			return os.NewSyscallError("fallocate", err)
		}
	}
	if _, err := unix.FcntlInt(uintptr(s.fd), unix.F_ADD_SEALS, seals); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	s.memory, err = unix.Mmap(s.fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return os.NewSyscallError("mmap", err)
}

// mapSegment maps what a peer has handed over as a segment, if it is one.
func mapSegment(fd int, size int64) (*Segment, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return nil, os.NewSyscallError("fstat", err)
	}
	has, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	switch {
	case stat.Mode&unix.S_IFMT != unix.S_IFREG || err != nil:
		return nil, fmt.Errorf("%w: no memory file", ErrSegment)
	case has&seals != seals:
		return nil, fmt.Errorf("%w: seals %#x, must have %#x", ErrSegment, has, seals)
	case stat.Size != size || size <= 0 || size%int64(os.Getpagesize()) != 0 || size > math.MaxInt:
		return nil, fmt.Errorf("%w: it has %d bytes, and %d were said", ErrSegment, stat.Size, size)
	case stat.Blocks*512 < size:
		return nil, fmt.Errorf("%w: of %d bytes %d are allocated", ErrSegment, size, stat.Blocks*512)
	}
	memory, err := unix.Mmap(fd, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSegment, os.NewSyscallError("mmap", err))
	}
	return &Segment{memory: memory, fd: -1}, nil
}

func unmap(memory []byte) {
	if memory != nil {
		_ = unix.Munmap(memory)
	}
}

// checkDoorbell checks that what a peer has handed over is a doorbell. A pipe, say, would block Ring when it is full.
func checkDoorbell(fd int) error {
	what, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil || what != "anon_inode:[eventfd]" {
		return fmt.Errorf("%w: %q is no doorbell", ErrSegment, what)
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK == 0 {
		return fmt.Errorf("%w: a doorbell that blocks", ErrSegment)
	}
	return nil
}

func ring(fd int) error {
	var one [8]byte
	binary.NativeEndian.PutUint64(one[:], 1)
	for {
		switch _, err := unix.Write(fd, one[:]); err {
		case unix.EINTR:
		case nil, unix.EAGAIN: // it has been rung very often already
			return nil
		default:
			return os.NewSyscallError("write", err)
		}
	}
}

func duplicate(fd int) (int, error) {
	fd, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	return fd, os.NewSyscallError("fcntl", err)
}

func closeFD(fd int) {
	if fd >= 0 {
		_ = unix.Close(fd)
	}
}

func closeAll(fds []int) {
	for _, fd := range fds {
		closeFD(fd)
	}
}
