package endpoint

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 3.3.2: an INIT with impossible parameters is refused.
func TestInitWithImpossibleFieldsIsRefused(t *testing.T) {
	for name, change := range map[string]func(*wire.Init){
		"no outbound streams": func(i *wire.Init) { i.OutStreams = 0 },
		"no inbound streams":  func(i *wire.Init) { i.InStreams = 0 },
		"window below 1500":   func(i *wire.Init) { i.Window = 1499 },
	} {
		r := newRig(t, socket.Config{})
		change(&r.offer)
		sent := r.init()
		assert.Equal(t, []wire.CauseCode{wire.CauseInvalidMandatoryParameter}, r.causes(sent, wire.TypeAbort), name)
		assert.Equal(t, r.offer.Tag, sent[0].Tag, name)
		r.gone()
	}
}

// Section 3.3.3: the same in an INIT ACK ends the attempt.
func TestInitAckWithImpossibleFieldsEndsTheAttempt(t *testing.T) {
	for name, change := range map[string]func(*wire.Init){
		"no outbound streams": func(i *wire.Init) { i.OutStreams = 0 },
		"no inbound streams":  func(i *wire.Init) { i.InStreams = 0 },
		"window below 1500":   func(i *wire.Init) { i.Window = 1499 },
		"tag 0":               func(i *wire.Init) { i.Tag = 0 },
	} {
		r := newRig(t, socket.Config{})
		r.dial()
		change(&r.offer)
		sent := r.initAck()
		if r.offer.Tag == 0 {
			assert.Empty(t, sent, "there is no tag to answer with")
		} else {
			assert.Equal(t, []wire.CauseCode{wire.CauseInvalidMandatoryParameter}, r.causes(sent, wire.TypeAbort), name)
		}
		assert.Equal(t, []socket.Kind{socket.Lost}, r.happened(), name)
		r.gone()
	}
}

// Section 3.3.2 and 8.5.1, A: what cannot be answered, or must not be, is dropped.
func TestInitThatIsDropped(t *testing.T) {
	for name, b := range map[string]func(r *rig) []byte{
		"initiate tag 0": func(r *rig) []byte {
			r.offer.Tag = 0
			return r.pack(0, wire.AppendInit(nil, &r.offer))
		},
		"with a tag": func(r *rig) []byte { return r.pack(5, wire.AppendInit(nil, &r.offer)) },
		"not alone": func(r *rig) []byte {
			return r.pack(0, wire.AppendInit(nil, &r.offer), wire.AppendCookieAck(nil))
		},
		"not first": func(r *rig) []byte {
			return r.pack(0, wire.AppendCookieAck(nil), wire.AppendInit(nil, &r.offer))
		},
		"other port": func(r *rig) []byte {
			b := wire.AppendHeader(nil, wire.Header{SourcePort: r.port, DestinationPort: rigPort + 1})
			b = wire.AppendInit(b, &r.offer)
			wire.SetChecksum(b)
			return b
		},
		"port 0": func(r *rig) []byte {
			r.port = 0
			return r.pack(0, wire.AppendInit(nil, &r.offer))
		},
		"cut short": func(r *rig) []byte {
			b := r.pack(0, wire.AppendInit(nil, &r.offer))
			b = b[:len(b)-1]
			wire.SetChecksum(b)
			return b
		},
		"wrong checksum": func(r *rig) []byte {
			b := r.pack(0, wire.AppendInit(nil, &r.offer))
			b[8]++
			return b
		},
	} {
		r := newRig(t, socket.Config{})
		assert.Empty(t, r.give(r.from, b(r)), name)
		r.gone()
	}
}

// Section 8.4, rule 1: no host can have such an address.
func TestPacketsFromImpossibleAddressesAreDropped(t *testing.T) {
	for _, a := range []string{"0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "ff02::1"} {
		r := newRig(t, socket.Config{})
		r.from = netip.AddrPortFrom(netip.MustParseAddr(a), 9899)
		assert.Empty(t, r.init(), a)
		assert.EqualValues(t, 1, r.Stats().Malformed, a)
	}
}

// RefuseIncoming: no peer may begin an association here, but this end may.
func TestIncomingAssociationsAreRefused(t *testing.T) {
	r := newRig(t, socket.Config{RefuseIncoming: true})
	assert.Equal(t, []wire.CauseCode{wire.CauseOutOfResource}, r.causes(r.init(), wire.TypeAbort))
	r.gone()
	r.dialed()

	// At the same time as the peer, too: it is one association that this end wants.
	r = newRig(t, socket.Config{RefuseIncoming: true})
	r.dial()
	r.chunk(r.say(wire.AppendCookieEcho(nil, r.cookie())), wire.TypeCookieAck)
	r.isUp()
}

// A socket has no more associations than Config.MaxAssociations. A further peer is told so, in
// answer to its INIT or, if the last place was taken meanwhile, to its COOKIE ECHO.
func TestMaxAssociations(t *testing.T) {
	r := newRig(t, socket.Config{MaxAssociations: 1})
	late := wire.AppendCookieEcho(nil, r.cookie())
	lateTag := r.said.Tag
	first := r.from
	r.from = stranger
	r.accepted()
	_, err := r.Connect(r.now, socket.Addr{IP: netip.MustParseAddr("192.0.2.77"), Port: 1, UDP: 1})
	assert.ErrorIs(t, err, socket.ErrTooMany)

	sent := r.give(first, r.pack(lateTag, late))
	assert.Equal(t, []wire.CauseCode{wire.CauseOutOfResource}, r.causes(sent, wire.TypeAbort))
	assert.Equal(t, r.offer.Tag, sent[0].Tag)
	sent = r.give(first, r.pack(0, wire.AppendInit(nil, &r.offer)))
	assert.Equal(t, []wire.CauseCode{wire.CauseOutOfResource}, r.causes(sent, wire.TypeAbort))
	assert.Equal(t, 1, r.Associations())

	require.NoError(t, r.Abort(r.assoc, "room for others"))
	r.run()
	r.from = first
	r.accepted()
}

// What Connect cannot use it says.
func TestConnectRefusesAddresses(t *testing.T) {
	good := socket.Addr{IP: rigPeer.Addr(), Port: 7, UDP: 9899}
	bad := func(change func(*socket.Addr)) socket.Addr {
		a := good
		change(&a)
		return a
	}
	for name, addrs := range map[string][]socket.Addr{
		"none":          {},
		"too many":      make([]socket.Addr, 17),
		"no IP":         {bad(func(a *socket.Addr) { a.IP = netip.Addr{} })},
		"unspecified":   {bad(func(a *socket.Addr) { a.IP = netip.IPv4Unspecified() })},
		"multicast":     {good, bad(func(a *socket.Addr) { a.IP = netip.MustParseAddr("224.0.0.1") })},
		"no port":       {bad(func(a *socket.Addr) { a.Port = 0 })},
		"no UDP port":   {bad(func(a *socket.Addr) { a.UDP = 0 })},
		"another port":  {good, bad(func(a *socket.Addr) { a.Port = 8 })},
		"mapped nobody": {bad(func(a *socket.Addr) { a.IP = netip.MustParseAddr("::ffff:0.0.0.0") })},
	} {
		r := newRig(t, socket.Config{})
		_, err := r.Connect(0, addrs...)
		assert.ErrorIs(t, err, socket.ErrAddr, name)
		r.gone()
	}
}
