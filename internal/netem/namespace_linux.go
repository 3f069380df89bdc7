package netem

import (
	"fmt"
	"os"
	"runtime"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// namespace is a network namespace without a name. The kernel removes it, with all its devices, when its file is closed
// and no process is in it. So nothing stays behind, even if a program is killed.
type namespace struct{ file *os.File }

const ownNamespace = "/proc/thread-self/ns/net"

// newNamespace makes a namespace with loopback up.
func newNamespace() (*namespace, error) {
	var ns namespace
	err := onThread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("a network namespace: %w", explain(err))
		}
		var err error
		if ns.file, err = os.Open(ownNamespace); err != nil {
			return err
		}
		lo, err := netlink.LinkByName("lo")
		if err == nil {
			err = netlink.LinkSetUp(lo)
		}
		if err != nil {
			ns.file.Close()
			return fmt.Errorf("loopback: %w", err)
		}
		return nil
	})
	return &ns, err
}

// do calls f on a thread in the namespace.
func (ns *namespace) do(f func() error) error {
	return onThread(func() error {
		if err := unix.Setns(int(ns.file.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("netem: entering a network namespace: %w", explain(err))
		}
		return f()
	})
}

func (ns *namespace) close() error { return ns.file.Close() }

// onThread calls f on a thread that has the network namespace of the calling one again afterwards.
func onThread(f func() error) (err error) {
	runtime.LockOSThread()
	before, err := os.Open(ownNamespace)
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	defer before.Close()
	defer func() {
		// A thread that cannot go back stays locked and so ends with its goroutine.
		if e := unix.Setns(int(before.Fd()), unix.CLONE_NEWNET); e == nil {
			runtime.UnlockOSThread()
		}
	}()
	return f()
}
