package associations

import (
	"errors"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/guard"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sealed names the datagrams of package guard: raise the version when they change.
const sealed = "sctp/udp 2"

// sealing is how a process seals what it sends, if it does: its datagrams or its messages.
type sealing struct {
	secret  *seal.Secret
	own     seal.Identity
	guard   *guard.Guard       // of datagrams, or nil
	records *handshake.Sealing // of messages, or nil
}

// newSealing decides that.
func newSealing(cfg rpi.Config, o Options) (s sealing, err error) {
	s.secret = seal.NewSecret(cfg.Token, sealed)
	policy, err := cfg.Sealing()
	if err != nil || policy == seal.Off {
		return s, err
	}
	if o.Records {
		s.records = &handshake.Sealing{Policy: policy, AES: seal.HasAES()}
		return s, nil
	}
	s.own = seal.Identity{ID: s.secret.Marker().NewID(), Policy: policy, AES: seal.HasAES()}
	s.guard = guard.New(s.secret, s.own, cfg.Size)
	return s, nil
}

// protect has a socket's datagrams sealed, or its messages. A record opens when it is whole: so the receive buffer has room for
// the longest, of which two fit the send buffer, and there is one of an association at a time.
func (s *sealing) protect(c *socket.Config) {
	if s.guard != nil {
		c.Guard = s.guard
	}
	if s.records != nil {
		c.WholeMessages, c.Interleaving = true, false
		c.ReceiveBuffer = max(c.ReceiveBuffer, c.SendBuffer/2)
	}
}

// publish returns what peers are told of an address.
func (s *sealing) publish(address string) string {
	if s.guard == nil {
		return address
	}
	return s.own.Publish(s.secret, address)
}

// errMixed: only one of two processes seals its datagrams.
var errMixed = errors.New("only one of it and this process seals its packets, which the kernel's SCTP cannot: set SCTPMPI_ENCRYPT=off in all processes of the job")

// read returns the addresses of a peer, and their text, from what it has published.
func (s *sealing) read(published string) (text string, addrs []socket.Addr, err error) {
	text, peer, sealed, err := seal.Read(s.secret, published)
	if err == nil && sealed != (s.guard != nil) {
		err = errMixed
	}
	if err != nil {
		return text, nil, err
	}
	if addrs, err = parseAddrs(text); err != nil || !sealed {
		return text, addrs, err
	}
	ports := make([]netip.AddrPort, len(addrs))
	for i, a := range addrs {
		ports[i] = netip.AddrPortFrom(a.IP.Unmap(), a.UDP)
	}
	return text, addrs, s.guard.Know(peer, ports)
}
