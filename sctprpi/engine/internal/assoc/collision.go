package assoc

import (
	"net/netip"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TieTags are the tie-tags that go into a cookie for a peer with which there is an
// association.
type TieTags struct{ Local, Peer wire.VerificationTag }

func (h *Host) newTieTags() TieTags { return TieTags{h.NewTag(), h.NewTag()} }

// AnswerInit returns what an INIT ACK chunk says, without the cookie, that answers an
// INIT chunk from the peer of this association at an address (RFC 9260, sections
// 5.2.1 and 5.2.2). fresh is a new tag, for when one is needed.
//
// While both ends set up the association, the answer has the tag and TSN of this
// end's own INIT chunk, so that whichever cookie comes back makes the same
// association. Later the peer may have restarted; the cookie will tell.
func (a *Association) AnswerInit(fresh wire.VerificationTag, peer netip.Addr) (wire.Init, TieTags) {
	switch a.state {
	case CookieWait:
		return a.Init(peer), TieTags{}
	case CookieEchoed:
		return a.Init(peer), a.tieTags
	default:
		return a.host.InitAckFor(fresh, peer), a.tieTags
	}
}

// NewAddrs returns the addresses of an INIT chunk that the association does not have. If there are
// any, the chunk may be an attempt to hijack the association, and must be answered with an ABORT
// chunk (section 5.2.2). It returns none while the peer's addresses are not known.
func (a *Association) NewAddrs(addrs []netip.Addr) []netip.Addr {
	if a.state == CookieWait {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(addrs), func(addr netip.Addr) bool {
		return slices.ContainsFunc(a.paths, func(p path) bool { return p.remote.Addr() == addr })
	})
}

// Echo is what came of a COOKIE ECHO chunk for an association that exists.
type Echo uint8

const (
	// Kept: the association is as it was, or established now. Tags have not
	// changed, but for the peer's.
	Kept Echo = iota
	// Renewed: the peer has restarted. The local tag has changed.
	Renewed
	// Ignored: the packet is to be dropped with all that is in it.
	Ignored
)

// CookieEcho handles a state cookie, authentic and fresh, that the peer of this
// association has echoed (RFC 9260, section 5.2.4, table 12).
func (a *Association) CookieEcho(now time.Duration, from int, st *cookie.State) Echo {
	local, peer := st.LocalTag == a.localTag, st.PeerTag == a.peerTag
	sameTieTags := TieTags{st.TieLocal, st.TiePeer} == a.tieTags
	switch {
	case local && peer: // D: the COOKIE ACK was lost, or the association is new
		return a.confirmCookie(now, st)
	case local: // B: both ends set up the association at the same time
		return a.confirmCookie(now, st)
	case !peer && sameTieTags: // A: the peer has restarted
		return a.restart(now, from, st)
	default: // C: a cookie of long ago, or nothing that makes sense
		return Ignored
	}
}

func (a *Association) confirmCookie(now time.Duration, st *cookie.State) Echo {
	switch {
	case a.state == CookieWait || a.state == CookieEchoed:
		a.adopt(st)
		a.establish(now, st)
	case st.PeerTag == a.peerTag:
	case a.untouched() && a.terms == termsOf(st):
		// The peer chose another tag after it had answered this end's INIT.
		old := a.in
		a.peerTag = st.PeerTag
		_, a.tracker, a.in = a.halves(st)
		a.in.Enlarge(a.rwnd.most)
		a.in.HoldAs(old)
		old.Close()
	default:
		return Ignored
	}
	if a.state.Connected() {
		a.acknowledgeCookie()
	}
	return Kept
}

// untouched reports whether the peer has not used the association yet.
func (a *Association) untouched() bool {
	return a.state == Established && a.counted.chunks == 0 && a.out.Stats().SACKs == 0
}

// restart makes the association anew with a peer that has lost it (section 5.2.4.1).
func (a *Association) restart(now time.Duration, from int, st *cookie.State) Echo {
	if a.restarted {
		// Or a peer could have a receive buffer more filled with each restart. It
		// will send its COOKIE ECHO again.
		return Ignored
	}
	if a.state == ShutdownAckSent {
		a.report(from, wire.Causes(nil).AppendCookieWhileShuttingDown())
		a.resendShutdown(now)
		return Ignored
	}
	closing := a.state == ShutdownPending || a.state == ShutdownSent
	a.drain()
	a.out.Close()
	a.retired = append(a.retired, a.out)
	a.in.Close()
	a.shutdown = noShutdown
	a.adopt(st)
	a.tieTags = a.host.newTieTags()
	a.begin(now, st)
	a.state = Established
	a.notifyPath(socket.Restarted, a.primary)
	a.restarted = true
	a.acknowledgeCookie()
	if closing {
		a.Shutdown(now)
	}
	return Renewed
}

// drain makes events of all data that can be delivered, so that it comes before what
// happens next.
func (a *Association) drain() {
	a.in.LetGo()
	for e := (socket.Event{}); a.in.Next(&e); {
		a.delivered(&e)
		a.events.push(&a.host.notices, e)
	}
}
