package startup

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Settings are what options and environment decide. Its methods Set… check a value; the
// options of package mpi say what the values mean. The error says what would be right.
type Settings struct {
	// Find returns the name and the opener of the transport that a name stands for.
	Find func(name string) (string, rpi.Open, error)

	Transport                   string
	EagerLimit, UnexpectedLimit int // bytes
	ConnectEagerly              bool
	ConnectTimeout              time.Duration
	PeerTimeout                 time.Duration
	FinalizeTimeout             time.Duration
	Bind                        []netip.Addr   // as in rpi.Config; none: choose
	Publish                     netip.AddrPort // as in rpi.Config
	PortLow, PortHigh           uint16
	Token                       []byte
	Encrypt                     seal.Policy
	Progress                    rpi.Progress
	Spin                        time.Duration // as in rpi.Config
	Threads                     bool          // as in rpi.Config
	Oversubscribed              bool          // this host has more ranks than processors
	LocalSize                   int           // ranks on this host, as far as is known
	OneProcess                  bool          // all ranks are in this process
	Hosts                       []int32       // the number of each rank's host, nil if that is not known
	Regroup                     bool          // reductions may group by hosts though results show it
	SharedMemory                string        // "auto", "off" or "half"
	Context                     context.Context
	Debug                       bool   // say on standard error what explains how this process works
	Trace                       string // the file of a trace, empty: none
	Statistics                  bool   // tell the launcher what this process has counted
	Check                       Check
	Logger                      *slog.Logger // nil: standard error
	Profile                     string       // the folder of CPU profiles, empty: none

	// Foreign finds a launcher by what the build knows beside PMI-1, if the environment names one that way; nil and nil if not.
	Foreign func(ctx context.Context) (Launcher, error)
}

// SetContext sets what ends the start of a process, and what it waits for afterwards.
func (s *Settings) SetContext(ctx context.Context) error {
	if s.Context = ctx; ctx == nil {
		return errors.New("the context is nil")
	}
	return nil
}

func (s *Settings) SetTransport(name string) (err error) {
	s.Transport, _, err = s.Find(name)
	return err
}

func (s *Settings) SetEagerLimit(bytes int) error {
	s.EagerLimit = bytes
	return atLeastOne("eager limit", bytes)
}

func (s *Settings) SetUnexpectedLimit(bytes int) error {
	s.UnexpectedLimit = bytes
	return atLeastOne("unexpected limit", bytes)
}

func atLeastOne(what string, bytes int) error {
	if bytes < 1 {
		return fmt.Errorf("%s of %d bytes: it must be 1 at least", what, bytes)
	}
	return nil
}

func (s *Settings) SetConnect(when string) error {
	s.ConnectEagerly = when == "eager"
	if when != "eager" && when != "lazy" {
		return fmt.Errorf("connect %q: it must be lazy or eager", when)
	}
	return nil
}

func (s *Settings) SetConnectTimeout(d time.Duration) error {
	s.ConnectTimeout = d
	return positive("connect timeout", d)
}

func (s *Settings) SetPeerTimeout(d time.Duration) error {
	s.PeerTimeout = d
	return positive("peer timeout", d)
}

func (s *Settings) SetFinalizeTimeout(d time.Duration) error {
	s.FinalizeTimeout = d
	return positive("finalize timeout", d)
}

func positive(what string, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%s %v: it must be positive", what, d)
	}
	return nil
}

func (s *Settings) SetSharedMemory(when string) error {
	s.SharedMemory = when
	if when != "auto" && when != "off" && when != "half" {
		return fmt.Errorf("shared memory %q: it must be auto or off", when)
	}
	return nil
}

// SharesMemory returns which peers of a rank may share memory with it, nil for none. Half is for tests of
// both ways in one job: ranks that are both even or both odd.
func (s *Settings) SharesMemory(rank int) func(peer int) bool {
	switch s.SharedMemory {
	case "off":
		return nil
	case "half":
		return func(peer int) bool { return (rank+peer)%2 == 0 }
	}
	return func(int) bool { return true }
}

func (s *Settings) SetProgress(mode string) (err error) {
	s.Progress, err = rpi.ParseProgress(mode)
	return err
}

func (s *Settings) SetSpin(d time.Duration) error {
	if s.Spin = d; d == 0 {
		s.Spin = Never
	}
	if d < 0 {
		return fmt.Errorf("spin %v: it must not be negative", d)
	}
	return nil
}

// Never is the spin of calls that block at once.
const Never time.Duration = -1

func (s *Settings) SetInterface(which string) (err error) {
	s.Bind, err = interfaceAddresses(which)
	return err
}

// SetPublish takes an address, or an address and a port.
func (s *Settings) SetPublish(where string) (err error) {
	if addr, err := netip.ParseAddr(where); err == nil {
		s.Publish = netip.AddrPortFrom(addr, 0)
	} else if s.Publish, err = netip.ParseAddrPort(where); err != nil || s.Publish.Port() == 0 {
		return errors.New("it must be an address, or an address and a port, such as 192.0.2.1:7000 or [2001:db8::1]:7000")
	}
	if s.Publish.Addr().IsUnspecified() || s.Publish.Addr().IsMulticast() {
		return errors.New("peers need an address that they can reach")
	}
	return nil
}

func (s *Settings) SetPortRange(low, high uint16) error {
	s.PortLow, s.PortHigh = low, high
	if low == 0 || low > high {
		return fmt.Errorf("port range %d-%d: it must be low-high, from 1 to 65535", low, high)
	}
	return nil
}

// Common is what the settings of all ranks must have in common.
func (s *Settings) Common() string {
	order := "little"
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		order = "big"
	}
	common := fmt.Sprintf("%s-endian/unexpected-limit=%d/encrypt=%v", order, s.UnexpectedLimit, s.Encrypt)
	if s.Regroup {
		common += "/reproducible=0"
	}
	return common
}
