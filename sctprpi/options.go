package sctprpi

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/variable"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Name and KernelName are the names of the transports over the embedded engine and over
// the Linux kernel's SCTP.
const (
	Name       = "sctp-engine"
	KernelName = "sctp-kernel"
)

// DefaultStreams is how many streams an association has unless Options or the peer
// say otherwise.
const DefaultStreams = 1024

// Options are what can be chosen about the transport beside rpi.Config. The zero
// Options are those of Open without environment variables.
type Options struct {
	// Name is the name of the transport, Listen what opens its socket on a local
	// address and port, 0 for any port. The default is the embedded engine.
	Name   string
	Listen func(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error)
	// Streams is how many streams to ask for in each direction, 1 to 65,535; the
	// peer may offer fewer. 0 is DefaultStreams.
	Streams int
	// Interleave sends the bodies of long messages in large pieces, which SCTP
	// mixes (RFC 8260), instead of in fragments that this package takes turns
	// with. Peers that do not offer it get fragments.
	Interleave bool

	// encapsulate is for OpenKernel: the kernel puts its packets in UDP (RFC 6951), as
	// the embedded engine always does.
	encapsulate bool
}

// Open makes the transport over the embedded engine, with what the environment
// variables SCTPMPI_STREAMS and SCTPMPI_INTERLEAVE say.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	o, err := fromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	return New(cfg, o)
}

// OpenKernel makes the transport over the Linux kernel's SCTP, with the same variables.
// kernel.Probe tells whether the host has it.
func OpenKernel(cfg rpi.Config) (rpi.Transport, error) {
	o, err := fromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	o.Name, o.Listen = KernelName, listenKernel
	if o.encapsulate {
		o.Listen = listenEncapsulated
	}
	return New(cfg, o)
}

// fromEnvironment reads the variables. An empty one counts as not set.
func fromEnvironment(getenv func(string) string) (o Options, err error) {
	if v := getenv(variable.Streams); v != "" {
		if o.Streams, err = strconv.Atoi(v); err != nil || o.Streams < 1 || o.Streams > maxStreams {
			return o, fmt.Errorf("%w: %s=%s: it must be a number of streams from 1 to %d", rpi.ErrArg, variable.Streams, v, maxStreams)
		}
	}
	for _, s := range []struct {
		name string
		on   *bool
	}{
		{variable.Interleave, &o.Interleave},
		{variable.Encapsulate, &o.encapsulate},
	} {
		switch v := getenv(s.name); v {
		case "", "0":
		case "1":
			*s.on = true
		default:
			return o, fmt.Errorf("%w: %s=%s: it must be 0 or 1", rpi.ErrArg, s.name, v)
		}
	}
	return o, nil
}

const maxStreams = 1<<16 - 1

func (o Options) withDefaults() (Options, error) {
	if o.Streams == 0 {
		o.Streams = DefaultStreams
	}
	if o.Streams < 1 || o.Streams > maxStreams {
		return o, fmt.Errorf("%w: %d streams, must be 1 to %d", rpi.ErrArg, o.Streams, maxStreams)
	}
	if o.Name == "" {
		o.Name = Name
	}
	if o.Listen == nil {
		o.Listen = listenEngine
	}
	return o, nil
}

// listenEngine opens a socket of the embedded engine. Over loopback it leaves SCTP's
// checksum out, for nothing on the way could damage a packet unless UDP's checksum, which
// is there all the same, told: so does TCP.
func listenEngine(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
	return engine.Listen(engine.Config{
		Config: c, Addrs: []netip.Addr{local}, UDPPort: port, NoChecksum: local.IsLoopback(),
	})
}

func listenKernel(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
	return kernel.Listen(kernel.Config{Config: c, Addrs: []netip.Addr{local}, Port: port})
}

// listenEncapsulated opens a socket of the kernel that embedded engines can talk with. It
// does not interleave, as Linux numbers the fragments of a message otherwise than they do.
func listenEncapsulated(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
	c.Interleaving = false
	s, err := kernel.Listen(kernel.Config{Config: c, Addrs: []netip.Addr{local}, Port: port, Encapsulated: true})
	if err != nil {
		return nil, err
	}
	// By that the two differ engines know whom not to send trains of packets.
	if a := s.LocalAddrs()[0]; a.Port == a.UDP {
		return nil, errors.Join(fmt.Errorf("%w: SCTP port %d is also that of net.sctp.udp_port", socket.ErrAddr, a.Port), s.Close())
	}
	return s, nil
}
