package assoc

// receiveWindow is the receive window as the peer knows it.
type receiveWindow struct {
	advertised uint32 // by the last SACK
	most       int    // the receive buffer
}

// news reports whether the peer should hear of a window of w bytes, on a path that has room
// for so much in a packet: when a good part of the buffer has become free, or any after
// there was none.
func (r *receiveWindow) news(w uint32, room int) bool {
	grown, small := int(w)-int(r.advertised), 2*room
	return grown >= r.most/4 || int(r.advertised) < small && grown >= small
}

// window returns the receive window to advertise. A few bytes of window would be
// answered with as small chunks: rather none (section 6.2; RFC 1122, section
// 4.2.3.3).
func (a *Association) window() uint32 {
	w := a.in.Window()
	if int(w) < min(a.paths[a.ackPath].room(), a.rwnd.most/4) {
		return 0
	}
	return w
}

// Authenticated notes that the user knows the peer, which is told of the larger window.
func (a *Association) Authenticated() {
	if a.in == nil {
		return
	}
	a.rwnd.most = a.host.Config.ReceiveBuffer
	a.in.Enlarge(a.rwnd.most)
	a.Drained()
}

// narrow reports whether the window has no room for the packets that make one SACK
// chunk: the peer cannot send another before it hears of this one.
func (a *Association) narrow() bool {
	return int(a.window()) < a.host.Config.AckEvery*a.paths[a.ackPath].room()
}

// Drained sees, after events have been polled, whether the peer should hear that there is
// room again, or that streams have been read. It reports whether there is a packet to send.
func (a *Association) Drained() bool {
	if a.in == nil || !a.state.takesData() {
		return false
	}
	if !a.rwnd.news(a.window(), a.paths[a.ackPath].room()) {
		return a.in.CreditDue()
	}
	a.tracker.Refuse() // a SACK without delay
	a.tracker.EndPacket(0)
	return true
}
