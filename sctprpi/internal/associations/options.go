package associations

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// DefaultStreams is how many streams an association has unless Options or the peer
// say otherwise.
const DefaultStreams = 1024

// Options are the settings of a transport beside those of rpi.Config.
type Options struct {
	// Name is the name of the transport. Listen opens its socket on local addresses and a port, 0 for
	// any port; nil is ListenEngine.
	Name   string
	Listen func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error)
	// Records: the socket cannot seal its datagrams, so messages are sealed. It copies all that it sends, and delivers each of
	// socket.Config.WholeMessages as one piece, in memory that may be written to.
	Records bool
	// Streams is how many streams to ask for in each direction, 1 to 65,535; the
	// peer may offer fewer. 0 is DefaultStreams.
	Streams int
	// Interleave offers peers to mix the pieces of long messages (RFC 8260).
	Interleave bool
	// Congestion is the congestion control of the embedded engine.
	Congestion socket.Congestion
	// Multipath has the embedded engine send on all paths to a peer at once.
	Multipath bool
	// NoECN keeps the embedded engine from letting routers mark its packets instead of dropping them (socket.Config.ECN).
	NoECN bool
	// Encapsulate is for the Linux kernel's SCTP, which then puts its packets in UDP (RFC 6951), as
	// the embedded engine always does.
	Encapsulate bool
}

// FromEnvironment returns the options that environment variables set. An empty one counts as not set.
func FromEnvironment(getenv func(string) string) (o Options, err error) {
	if v := getenv(rpi.EnvStreams); v != "" {
		if o.Streams, err = strconv.Atoi(v); err != nil || o.Streams < 1 || o.Streams > maxStreams {
			return o, fmt.Errorf("%w: %s=%s: it must be a number of streams from 1 to %d", rpi.ErrArg, rpi.EnvStreams, v, maxStreams)
		}
	}
	if v := getenv(rpi.EnvCongestion); v != "" {
		c, known := congestions[v]
		if !known {
			return o, fmt.Errorf("%w: %s=%s: it must be cubic, newreno, bbr or bbr-draft", rpi.ErrArg, rpi.EnvCongestion, v)
		}
		o.Congestion = c
	}
	if o.Multipath, err = onOff(getenv, rpi.EnvMultipath, false); err != nil {
		return o, err
	}
	ecn, err := onOff(getenv, rpi.EnvECN, true)
	if err != nil {
		return o, err
	}
	o.NoECN = !ecn
	for _, s := range []struct {
		name string
		on   *bool
	}{
		{rpi.EnvInterleave, &o.Interleave},
		{rpi.EnvEncapsulate, &o.Encapsulate},
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

// onOff returns the value of a variable that is on or off.
func onOff(getenv func(string) string, name string, unset bool) (on bool, err error) {
	switch v := getenv(name); v {
	case "":
		return unset, nil
	case "on", "off":
		return v == "on", nil
	default:
		return false, fmt.Errorf("%w: %s=%s: it must be on or off", rpi.ErrArg, name, v)
	}
}

const maxStreams = 1<<16 - 1

// congestions are the values of rpi.EnvCongestion.
var congestions = map[string]socket.Congestion{
	"cubic": socket.Cubic, "newreno": socket.NewReno, "bbr": socket.BBR, "bbr-draft": socket.BBRDraft,
}

// ListenEngine opens a socket of the embedded engine. Over loopback it leaves out SCTP's checksum, if packets are not sealed
// anyway: they can be damaged there only by software, and UDP's checksum is still computed. TCP does the same. Nor are packets
// markable there, as there is no router to mark them.
func ListenEngine(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	return engine.Open(engineConfig(c, local, port))
}

func engineConfig(c socket.Config, local []netip.Addr, port uint16) engine.Config {
	loopback := !slices.ContainsFunc(local, func(a netip.Addr) bool { return !a.IsLoopback() })
	c.ECN = c.ECN && !loopback
	return engine.Config{Config: c, Addrs: local, UDPPort: port, NoChecksum: loopback}
}
