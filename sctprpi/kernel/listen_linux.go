package kernel

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/looping"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Probe tells whether Listen can work on this host, and if not, why: the kernel has no
// SCTP (errors.ErrUnsupported), it is forbidden, or its settings will not do.
func Probe() error {
	fd, err := create(unix.AF_INET)
	if err != nil {
		return err
	}
	return errors.Join(checkPolicies(), unix.Close(fd))
}

// Open opens a socket without a goroutine. It implements socket.StreamScheduler, socket.Meter and
// socket.Authenticator too. It fails as Probe does, with socket.ErrAddr if an address cannot be
// had, and if the Config contradicts itself.
func Open(c Config) (socket.Core, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	return open(c)
}

// Listen opens a socket, as Open does, that goroutines can wait for.
func Listen(c Config) (socket.Socket, error) {
	core, err := Open(c)
	if err != nil {
		return nil, err
	}
	loop, err := looping.Start(core)
	if err != nil {
		return nil, err
	}
	return &listener{core.(*endpoint), loop}, nil
}

// listener is an endpoint with a loop.
type listener struct {
	*endpoint
	*looping.Loop
}

func (l *listener) Close() error {
	l.Stop()
	return l.endpoint.Close()
}

// create makes a descriptor.
func create(family int) (int, error) {
	fd, err := unix.Socket(family, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.IPPROTO_SCTP)
	switch err {
	case nil:
		return fd, nil
	case unix.EPROTONOSUPPORT, unix.ESOCKTNOSUPPORT:
		return 0, fmt.Errorf("sctp: %w: the kernel has no SCTP, or its module is not loaded: try modprobe sctp: %w",
			errors.ErrUnsupported, err)
	case unix.EAFNOSUPPORT:
		return 0, fmt.Errorf("sctp: %w: the kernel does not have this kind of address: %w", socket.ErrAddr, err)
	case unix.EPERM, unix.EACCES:
		return 0, fmt.Errorf("sctp: this process may not open SCTP sockets (a sandbox?): %w", err)
	}
	return 0, os.NewSyscallError("socket", err)
}

// checkPolicies makes sure that associations do not share buffers.
func checkPolicies() error {
	for _, name := range []string{"sndbuf_policy", "rcvbuf_policy"} {
		value, err := setting(name)
		if err != nil {
			return err
		}
		if value != 1 {
			return fmt.Errorf("sctp: net.sctp.%s is %d, so that one stalled peer would stop all others: "+
				"try sysctl net.sctp.%[1]s=1", name, value)
		}
	}
	return nil
}

// setting reads a setting of the network namespace.
func setting(name string) (int, error) {
	text, err := os.ReadFile("/proc/sys/net/sctp/" + name)
	if err != nil {
		return 0, fmt.Errorf("sctp: setting net.sctp.%s of the kernel: %w", name, err)
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// udpPort returns the port at which the kernel takes packets in UDP, 0 if it does not.
func udpPort() (uint16, error) {
	port, err := setting("udp_port")
	if errors.Is(err, os.ErrNotExist) { // before Linux 5.11
		return 0, nil
	}
	return uint16(port), err
}
