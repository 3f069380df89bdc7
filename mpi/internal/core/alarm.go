package core

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// alarm is a bit in the type of a message of a collective call. A message with
// this bit, an alarm, says that the call has failed at its sender; the rest of
// its type is the mark of the sender's call. An alarm takes the place of a
// message that cannot be sent, or goes to all ranks as a notice.
const alarm matching.Type = 1 << 31

// disagree in an alarm's type says that the ranks do not agree about the call.
const disagree matching.Type = 1 << 30

// raise sends an alarm in place of a message, unless all ranks have got one.
func (k *call) raise(to matching.Rank) {
	if !k.told {
		k.comm.ring(collective, to, k.tag, alarm|k.mark, k.err.Class)
	}
}

// tellAll sends all other ranks an alarm, since it is not known which of them wait
// for this rank.
func (k *call) tellAll(how matching.Type) {
	for i := 1; i < k.comm.group.size; i++ {
		k.comm.ring(notices, k.comm.jobRank((k.comm.rank+i)%k.comm.group.size), k.tag, alarm|how|k.mark, k.err.Class)
	}
	k.told = true
}

// fail records the error of r, which has completed, if it has one.
func (k *call) fail(r *rpi.Request, cause error) {
	switch {
	case cause != nil:
		k.err = k.comm.givenUp(k.op, r, cause)
	case r.Err != nil:
		k.failed(r)
	case r.Op == rpi.OpRecv && r.Status.Length != uint64(len(r.Buf)):
		k.err = k.mismatch(rpi.ErrCount, r)
	}
}

// failed records the error of r, which has one.
func (k *call) failed(r *rpi.Request) {
	var other *rpi.TypeError
	switch {
	case errors.As(r.Err, &other):
		k.unusable(other.Sent, r.Status)
	case errors.Is(r.Err, rpi.ErrTruncate):
		k.err = k.mismatch(rpi.ErrTruncate, r)
	default:
		k.err = k.comm.failure(k.op, r)
	}
}

// unusable records the error that a message means which this call cannot use: an
// alarm, or a message of a call about which the ranks do not agree.
func (k *call) unusable(sent matching.Type, s rpi.Status) {
	theirs := sent &^ (alarm | disagree)
	failed := sent&(alarm|disagree) == alarm && routineOf(theirs) == k.routine
	if failed || theirs == k.mark {
		k.comm.process.peerFailed(s.Source)
		class := rpi.Class(s.Elem)
		k.err = mpierr.Invalid(k.op, class, "it failed on %s: %v", k.comm.name(s.Source), class).About(k.comm.rankOf(s.Source))
	} else {
		k.err = k.difference(theirs, s)
	}
	if !failed && !k.told {
		k.tellAll(disagree)
	}
}

// mismatch is the error of a receive whose message has another length.
func (k *call) mismatch(class rpi.Class, r *rpi.Request) *mpierr.Error {
	return mpierr.Invalid(k.op, class, "rank %d sent %s of %s where this rank expects %d: the ranks must pass matching lengths",
		k.comm.rankOf(r.Status.Source), mpierr.Plural(int(r.Status.Length)/k.kind.Size, "element"), k.kind.Name, len(r.Buf)/k.kind.Size).
		About(k.comm.rankOf(r.Status.Source))
}
