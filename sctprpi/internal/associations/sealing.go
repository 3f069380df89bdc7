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
	own     seal.Identity      // zero if nothing is sealed, and not published then
	guard   *guard.Guard       // of datagrams, or nil
	records *handshake.Sealing // of messages, or nil
}

// newSealing decides that.
func newSealing(cfg rpi.Config, o Options) (s sealing, err error) {
	label := sealed
	if o.Records {
		label = handshake.Label
	}
	s.secret = seal.NewSecret(cfg.Token, label)
	policy, err := cfg.Sealing()
	if err != nil || policy == seal.Off {
		return s, err
	}
	s.own = seal.Identity{ID: s.secret.Marker().NewID(), Policy: policy, AES: seal.HasAES()}
	if o.Records {
		s.records = &handshake.Sealing{Policy: policy, AES: s.own.AES}
		return s, nil
	}
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

// seals reports whether the process seals what it sends.
func (s *sealing) seals() bool { return s.guard != nil || s.records != nil }

// publish returns what peers are told of an address.
func (s *sealing) publish(address string) string {
	if !s.seals() {
		return address
	}
	return s.own.Publish(s.secret, address)
}

// errMixed: only one of two processes seals what it sends.
var errMixed = errors.New("only one of it and this process seals what it sends: set SCTPMPI_ENCRYPT alike in all processes of the job")

// listing is what a peer has published.
type listing struct {
	text  string // of the addresses
	addrs []socket.Addr
	id    seal.ID // zero if it seals nothing
}

// read decodes what a peer has published. The text is there even if that fails.
func (s *sealing) read(published string) (l listing, err error) {
	var peer seal.Identity
	var sealed bool
	l.text, peer, sealed, err = seal.Read(s.secret, published)
	if sealed != s.seals() {
		err = errMixed
	}
	if err != nil {
		return l, err
	}
	l.id = peer.ID
	if l.addrs, err = parseAddrs(l.text); err != nil || s.guard == nil {
		return l, err
	}
	ports := make([]netip.AddrPort, len(l.addrs))
	for i, a := range l.addrs {
		ports[i] = netip.AddrPortFrom(a.IP.Unmap(), a.UDP)
	}
	return l, s.guard.Know(peer, ports)
}
