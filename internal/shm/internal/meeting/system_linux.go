package meeting

import (
	"encoding/binary"
	"errors"
	"fmt"
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

// Probe says why processes could not meet here, nil if they could.
func Probe() error {
	pidfd, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return unsupported("pidfd_open", err)
	}
	defer closeFD(pidfd)
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	defer closeFD(bell)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socketpair", err)
	}
	closeAll(pair[:])
	return nil
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
		if len(m.Data)%4 != 0 { // no kernel says so, and ParseUnixRights would panic
			err = errors.Join(err, ErrGarbage)
			continue
		}
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
