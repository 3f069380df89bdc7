package endpoint

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// rotation is how long a secret signs cookies.
const rotation = time.Hour

// initChunk answers an INIT chunk (RFC 9260, sections 5.1 and 5.2). Nothing is kept
// of it.
func (e *Endpoint) initChunk(now time.Duration, d *packet.Datagram, p *wire.Packet, c wire.Chunk) {
	if p.Tag != 0 { // section 8.5.1, A
		e.stats.OutOfTheBlue++
		return
	}
	init, err := wire.ParseInit(c)
	if err != nil {
		e.refuse(d, p, init.Tag, err, wire.Param{})
		return
	}
	offer, param, err := e.host.ReadParams(init.Params, d.From.Addr())
	if err != nil {
		e.refuse(d, p, init.Tag, err, param)
		return
	}
	en := e.owner(peer{d.From, p.SourcePort})
	switch {
	case en == nil && (e.host.Config.RefuseIncoming || !e.room()):
		e.refuse(d, p, init.Tag, errNoRoom, wire.Param{})
		return
	case en != nil && en.ResendShutdownAck(): // section 9.2
		e.touch(en)
		return
	}
	answer, tieTags := e.answer(en, d)
	if en != nil {
		if added := en.NewAddrs(offer.Addrs); len(added) > 0 {
			e.refuseAddrs(d, p, init.Tag, added)
			return
		}
	}
	e.stats.Inits++
	e.reply(now, d, p, &init, &offer, &answer, tieTags)
}

// answer returns what the INIT ACK chunk says.
func (e *Endpoint) answer(en *entry, d *packet.Datagram) (wire.Init, assoc.TieTags) {
	tag := e.newTag()
	if en != nil {
		return en.AnswerInit(tag, d.From.Addr())
	}
	return e.host.InitAckFor(tag, d.From.Addr()), assoc.TieTags{}
}

// reply sends an INIT ACK chunk with a cookie.
func (e *Endpoint) reply(now time.Duration, d *packet.Datagram, p *wire.Packet, init *wire.Init, offer *assoc.Offer, answer *wire.Init, tieTags assoc.TieTags) {
	if now-e.signed > rotation {
		if err := e.signer.Rotate(); err != nil {
			return
		}
		e.signed = now
	}
	streams := uint16(e.host.Config.Streams)
	e.state = cookie.State{
		Created: now, Life: e.cookieLife(init.Params),
		LocalTag: answer.Tag, PeerTag: init.Tag,
		TieLocal: tieTags.Local, TiePeer: tieTags.Peer,
		LocalTSN: answer.TSN, PeerTSN: init.TSN,
		Outbound: min(init.InStreams, streams), Inbound: min(init.OutStreams, streams),
		PeerWindow: init.Window,
		LocalPort:  e.host.Port, PeerPort: p.SourcePort,
		Local: d.To, Peer: d.From,
		PeerAddrs: append(e.state.PeerAddrs[:0], offer.Addrs...),
		Features:  offer.Features, StreamLimit: offer.StreamLimit,
	}
	if offer.Features.Has(cookie.StreamCredit) {
		answer.Params = e.host.AppendStreamLimit(answer.Params)
	}
	if offer.Features.Has(cookie.Multipath) {
		answer.Params = e.host.AppendMultipath(answer.Params)
	}
	answer.Params = answer.Params.AppendStateCookie(e.signer.Append(nil, &e.state))
	for _, u := range offer.Unrecognized {
		answer.Params = answer.Params.AppendUnrecognized(u)
	}
	back := wire.Header{SourcePort: p.DestinationPort, DestinationPort: p.SourcePort, Tag: init.Tag}
	e.replies.add(d.To, d.From, back, func(b []byte) []byte { return wire.AppendInitAck(b, answer) })
}

// cookieLife returns how long a cookie may be used: longer if the peer asks, but at
// most twice as long.
func (e *Endpoint) cookieLife(params wire.Params) time.Duration {
	life := e.host.Config.CookieLife
	for p := range params.All() {
		if p.Type == wire.ParamCookiePreservative {
			if increment, err := p.CookiePreservative(); err == nil {
				return life + min(increment, life)
			}
		}
	}
	return life
}

// errNoRoom: associations that peers begin are not wanted, or not any more.
var errNoRoom = &wire.Error{Cause: wire.CauseOutOfResource, Rule: "no further association wanted"}

// refuse answers an INIT chunk with an ABORT chunk.
func (e *Endpoint) refuse(d *packet.Datagram, p *wire.Packet, tag wire.VerificationTag, err error, param wire.Param) {
	var broken *wire.Error
	if errors.As(err, &broken) && broken.Cause != 0 {
		e.refuseWith(d, p, tag, assoc.CausesOf(broken, param))
	}
}

func (e *Endpoint) refuseWith(d *packet.Datagram, p *wire.Packet, tag wire.VerificationTag, causes wire.Causes) {
	e.stats.Refused++
	if tag == 0 {
		return // without a tag no host could accept the answer
	}
	back := wire.Header{SourcePort: p.DestinationPort, DestinationPort: p.SourcePort, Tag: tag}
	e.replies.add(d.To, d.From, back, func(b []byte) []byte { return wire.AppendAbort(b, false, causes) })
}

// refuseAddrs refuses to restart an association with new addresses.
func (e *Endpoint) refuseAddrs(d *packet.Datagram, p *wire.Packet, tag wire.VerificationTag, added []netip.Addr) {
	var params wire.Params
	for _, addr := range added {
		params = params.AppendAddress(addr)
	}
	e.refuseWith(d, p, tag, wire.Causes(nil).AppendRestartWithNewAddresses(params))
}

// cookieEcho handles a COOKIE ECHO chunk (RFC 9260, sections 5.1.5 and 5.2.4) and
// what else is in its packet.
func (e *Endpoint) cookieEcho(now time.Duration, d *packet.Datagram, p *wire.Packet, c wire.Chunk) {
	echoed, err := wire.ParseCookieEcho(c)
	if err == nil {
		err = e.signer.Open(echoed, now, &e.state)
	}
	st := &e.state
	var stale *cookie.StaleError
	isStale := errors.As(err, &stale)
	switch {
	case err != nil && !isStale:
		e.stats.ForgedCookies++
		return
	case p.Tag != st.LocalTag, p.SourcePort != st.PeerPort, p.DestinationPort != st.LocalPort,
		d.Sender.ID == 0 && d.From != st.Peer && !slices.Contains(st.PeerAddrs, d.From.Addr()):
		e.stats.OutOfTheBlue++
		return
	}
	en := e.byTag[st.LocalTag]
	if en == nil {
		en = e.owner(peer{st.Peer, st.PeerPort})
	}
	if en == nil && d.Sender.ID != 0 { // this end has begun an association too, to where the peer is known to be by now
		en = e.owner(peer{d.From, st.PeerPort})
	}
	if isStale && (en == nil || en.LocalTag() != st.LocalTag || en.PeerTag() != st.PeerTag) {
		e.stale(d, p, stale)
		return
	}
	if en == nil {
		e.accept(now, d, p)
		return
	}
	switch en.CookieEcho(now, max(en.PathOf(d.From), 0), st) {
	case assoc.Ignored:
		e.stats.OutOfTheBlue++
	case assoc.Kept, assoc.Renewed:
		e.attribute(en, d.Sender.ID)
		e.index(en)
		e.deliver(now, en, d, p, true)
	}
	e.touch(en)
}

// accept makes an association of the cookie at hand.
func (e *Endpoint) accept(now time.Duration, d *packet.Datagram, p *wire.Packet) {
	if e.host.Config.RefuseIncoming || !e.room() {
		e.refuse(d, p, e.state.PeerTag, errNoRoom, wire.Param{})
		return
	}
	en := e.add(now, assoc.Accept(&e.host, e.newID(), now, &e.state))
	e.attribute(en, d.Sender.ID)
	e.addUnauthenticated(en, socket.Addr{IP: e.state.Peer.Addr(), Port: e.state.PeerPort, UDP: e.state.Peer.Port()})
	e.deliver(now, en, d, p, true)
}

// stale answers a cookie that came too late.
func (e *Endpoint) stale(d *packet.Datagram, p *wire.Packet, stale *cookie.StaleError) {
	e.stats.StaleCookies++
	back := wire.Header{SourcePort: p.DestinationPort, DestinationPort: p.SourcePort, Tag: e.state.PeerTag}
	e.replies.add(d.To, d.From, back, func(b []byte) []byte {
		return wire.AppendError(b, wire.Causes(nil).AppendStaleCookie(stale.By))
	})
}
