package sctprpi

import (
	"errors"
	"fmt"
	"net/netip"
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
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
const DefaultStreams = associations.DefaultStreams

// Options are the settings of the transport beside those of rpi.Config. The zero Options are those
// of Open without environment variables: Name and Listen are those of the embedded engine. With
// Interleave the bodies of long messages are sent in large pieces, which SCTP interleaves. Otherwise
// they are sent in fragments, one of each message in turn. Peers that do not offer interleaving get
// fragments.
type Options = associations.Options

// FromEnvironment returns the options that environment variables set: those of Open.
func FromEnvironment() (Options, error) { return associations.FromEnvironment(os.Getenv) }

// Open makes the transport over the embedded engine, with the settings of the environment variables
// SCTPMPI_STREAMS, SCTPMPI_INTERLEAVE, SCTPMPI_CONGESTION, SCTPMPI_MULTIPATH and SCTPMPI_ECN.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	o, err := FromEnvironment()
	if err != nil {
		return nil, err
	}
	return New(cfg, o)
}

// OpenKernel makes the transport over the Linux kernel's SCTP, with the same variables.
// kernel.Probe tells whether the host has it.
func OpenKernel(cfg rpi.Config) (rpi.Transport, error) {
	o, err := FromEnvironment()
	if err != nil {
		return nil, err
	}
	if cfg.Publish.IsValid() {
		return nil, fmt.Errorf("%w: %s: translators of addresses pass UDP and TCP: choose another transport than %s", rpi.ErrArg, rpi.EnvPublish, KernelName)
	}
	if o.Congestion == socket.BBR || o.Congestion == socket.BBRDraft {
		return nil, fmt.Errorf("%w: %s=%s: Linux's SCTP has no BBR: choose another transport than %s", rpi.ErrArg, rpi.EnvCongestion, os.Getenv(rpi.EnvCongestion), KernelName)
	}
	if o.Multipath {
		return nil, fmt.Errorf("%w: %s=on: Linux's SCTP sends on one path at a time: choose another transport than %s", rpi.ErrArg, rpi.EnvMultipath, KernelName)
	}
	if o.NoECN {
		return nil, fmt.Errorf("%w: %s=off: Linux's SCTP does what the sysctl net.sctp.ecn_enable says: set that, or choose another transport than %s", rpi.ErrArg, rpi.EnvECN, KernelName)
	}
	o.Name, o.Listen, o.Records = KernelName, listenKernel, true
	if o.Encapsulate {
		o.Listen = listenEncapsulated
	}
	return New(cfg, o)
}

func listenKernel(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	return kernel.Open(kernel.Config{Config: c, Addrs: local, Port: port})
}

// listenEncapsulated opens a socket of the kernel that embedded engines can talk to. It does not
// interleave, because Linux and the engine number the fragments of a message differently.
func listenEncapsulated(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	c.Interleaving = false
	s, err := kernel.Open(kernel.Config{Config: c, Addrs: local, Port: port, Encapsulated: true})
	if err != nil {
		return nil, err
	}
	// Engines recognise kernel SCTP by the difference of these ports, and then send without GSO.
	if a := s.LocalAddrs()[0]; a.Port == a.UDP {
		return nil, errors.Join(fmt.Errorf("%w: SCTP port %d is also that of net.sctp.udp_port", socket.ErrAddr, a.Port), s.Close())
	}
	return s, nil
}
