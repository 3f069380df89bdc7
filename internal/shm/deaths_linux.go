package shm

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// deaths watches processes. A goroutine waits for all of them, and needs no thread for that.
type deaths struct {
	file *os.File // an epoll instance, which Go's network poller watches
	raw  syscall.RawConn
}

func newDeaths() (*deaths, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil { // tells os.NewFile that it can be polled
		unix.Close(fd)
		return nil, os.NewSyscallError("fcntl", err)
	}
	d := &deaths{file: os.NewFile(uintptr(fd), "epoll")}
	if d.raw, err = d.file.SyscallConn(); err != nil {
		d.file.Close()
		return nil, err
	}
	return d, nil
}

// add watches one more process, that of a rank. It is forgotten when its pidfd is closed.
func (d *deaths) add(pidfd, rank int) (err error) {
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT, Fd: int32(rank)}
	if e := d.raw.Control(func(fd uintptr) { err = unix.EpollCtl(int(fd), unix.EPOLL_CTL_ADD, pidfd, &event) }); e != nil {
		return e
	}
	return os.NewSyscallError("epoll_ctl", err)
}

// run calls died for each process that has ended, until close.
func (d *deaths) run(died func(rank int)) {
	var events [16]unix.EpollEvent
	for {
		n := 0
		err := d.raw.Read(func(fd uintptr) bool {
			n, _ = unix.EpollWait(int(fd), events[:], 0)
			return n > 0
		})
		if err != nil {
			return
		}
		for _, e := range events[:n] {
			died(int(e.Fd))
		}
	}
}

func (d *deaths) close() { d.file.Close() }
