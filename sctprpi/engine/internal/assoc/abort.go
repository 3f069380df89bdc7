package assoc

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// maxReason bounds the reason of a user's abort, in bytes.
const maxReason = 1000

// Abort ends the association at the user's wish (RFC 9260, section 9.1).
func (a *Association) Abort(reason string) {
	a.abort(&socket.AbortError{
		Cause: uint16(wire.CauseUserAbort), Reason: reason[:min(len(reason), maxReason)],
	})
}

// Evict ends the association to make room for another.
func (a *Association) Evict() { a.fail(a.primary, errEvicted) }

var errEvicted = &wire.Error{Cause: wire.CauseOutOfResource, Rule: "too many associations whose peers are not known"}

// abort ends the association with a reason that the peer is told as the user's.
func (a *Association) abort(why *socket.AbortError) {
	a.abortWith(a.primary, wire.Causes(nil).AppendUserAbort([]byte(why.Reason)), why)
}

// giveUp ends the association because the peer cannot be reached, which the peer is told in
// case that it can.
func (a *Association) giveUp(why error, reason string) {
	if a.peerTag != 0 {
		a.farewell = farewell{wire.AppendAbort(nil, false, wire.Causes(nil).AppendUserAbort([]byte(reason))), a.primary}
	}
	a.finish(socket.Event{Kind: socket.Lost, Err: why, Addr: a.addr(a.primary)})
}

// fail ends the association because a chunk of the peer's has broken a rule. Rules
// that ask for silence do not end it.
func (a *Association) fail(from int, err error) { a.failParam(from, wire.Param{}, err) }

// failParam is fail for a parameter of a chunk.
func (a *Association) failParam(from int, param wire.Param, err error) {
	var broken *wire.Error
	if !errors.As(err, &broken) || broken.Cause == 0 {
		return
	}
	a.abortWith(from, CausesOf(broken, param), &socket.AbortError{
		Cause: uint16(broken.Cause), Reason: broken.Rule,
	})
}

// CausesOf returns the error causes that report a broken rule; param is the parameter
// that broke it, if it was one.
func CausesOf(broken *wire.Error, param wire.Param) wire.Causes {
	var causes wire.Causes
	switch broken.Cause {
	case wire.CauseInvalidMandatoryParameter:
		return causes.AppendInvalidMandatoryParameter()
	case wire.CauseMissingMandatoryParameter:
		return causes.AppendMissingMandatoryParameter(wire.NumbersOf(wire.ParamStateCookie))
	case wire.CauseOutOfResource:
		return causes.AppendOutOfResource()
	case wire.CauseUnresolvableAddress:
		if len(param.Bytes()) <= maxReason {
			return causes.AppendUnresolvableAddress(param)
		}
	}
	return causes.AppendProtocolViolation(broken.Rule)
}

// abortWith sends an ABORT chunk, in answer to a packet from a path, if the peer knows
// of the association, and ends it.
func (a *Association) abortWith(from int, causes wire.Causes, why *socket.AbortError) {
	if a.peerTag != 0 {
		a.farewell = farewell{wire.AppendAbort(nil, false, causes), a.answerPath(from)}
	}
	kind := socket.Aborted
	if !a.state.Connected() && why.Cause != uint16(wire.CauseUserAbort) {
		kind = socket.Lost // it never was Up
	}
	a.finish(socket.Event{Kind: kind, Err: why, Addr: a.addr(a.primary)})
}

// farewell is the last packet to the peer, with one chunk: ABORT or SHUTDOWN COMPLETE.
type farewell struct {
	chunk []byte // nil if there is none
	path  int
}

// nextFarewell sends it.
func (a *Association) nextFarewell(b *packet.Batch) {
	f := a.farewell
	a.farewell = farewell{}
	a.open(b, f.path, a.peerTag)
	b.Head = append(b.Head, f.chunk...)
	a.closeSurely(b, f.path)
}
