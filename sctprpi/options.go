package sctprpi

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
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

// Options are the settings of the transport beside those of rpi.Config. The zero Options are those
// of Open without environment variables.
type Options struct {
	// Name is the name of the transport. Listen opens its socket on a local address and port, 0 for
	// any port. The default is the embedded engine.
	Name   string
	Listen func(c socket.Config, local netip.Addr, port uint16) (socket.Core, error)
	// Streams is how many streams to ask for in each direction, 1 to 65,535; the
	// peer may offer fewer. 0 is DefaultStreams.
	Streams int
	// Interleave sends the bodies of long messages in large pieces, which SCTP interleaves (RFC
	// 8260). Otherwise they are sent in fragments, one of each message in turn. Peers that do not
	// offer interleaving get fragments.
	Interleave bool
	// Congestion is the congestion control of the embedded engine.
	Congestion socket.Congestion

	// encapsulate is for OpenKernel: the kernel puts its packets in UDP (RFC 6951), as
	// the embedded engine always does.
	encapsulate bool
}

// Open makes the transport over the embedded engine, with the settings of the environment variables
// SCTPMPI_STREAMS, SCTPMPI_INTERLEAVE and SCTPMPI_CONGESTION.
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
	if v := getenv(rpi.EnvStreams); v != "" {
		if o.Streams, err = strconv.Atoi(v); err != nil || o.Streams < 1 || o.Streams > maxStreams {
			return o, fmt.Errorf("%w: %s=%s: it must be a number of streams from 1 to %d", rpi.ErrArg, rpi.EnvStreams, v, maxStreams)
		}
	}
	switch v := getenv(rpi.EnvCongestion); v {
	case "", "cubic":
	case "newreno":
		o.Congestion = socket.NewReno
	default:
		return o, fmt.Errorf("%w: %s=%s: it must be cubic or newreno", rpi.ErrArg, rpi.EnvCongestion, v)
	}
	for _, s := range []struct {
		name string
		on   *bool
	}{
		{rpi.EnvInterleave, &o.Interleave},
		{rpi.EnvEncapsulate, &o.encapsulate},
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

// listenEngine opens a socket of the embedded engine. Over loopback it leaves out SCTP's checksum:
// packets can be damaged there only by software, and UDP's checksum is still computed. TCP does the
// same.
func listenEngine(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
	return engine.Open(engine.Config{
		Config: c, Addrs: []netip.Addr{local}, UDPPort: port, NoChecksum: local.IsLoopback(),
	})
}

func listenKernel(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
	return kernel.Open(kernel.Config{Config: c, Addrs: []netip.Addr{local}, Port: port})
}

// listenEncapsulated opens a socket of the kernel that embedded engines can talk to. It does not
// interleave, because Linux and the engine number the fragments of a message differently.
func listenEncapsulated(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
	c.Interleaving = false
	s, err := kernel.Open(kernel.Config{Config: c, Addrs: []netip.Addr{local}, Port: port, Encapsulated: true})
	if err != nil {
		return nil, err
	}
	// Engines recognise kernel SCTP by the difference of these ports, and then send without GSO.
	if a := s.LocalAddrs()[0]; a.Port == a.UDP {
		return nil, errors.Join(fmt.Errorf("%w: SCTP port %d is also that of net.sctp.udp_port", socket.ErrAddr, a.Port), s.Close())
	}
	return s, nil
}
