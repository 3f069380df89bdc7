package collective

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// alarm is a bit in the type of a message of a collective call. A message with
// this bit, an alarm, says that the call has failed at its sender; the rest of
// its type is the mark of the sender's call. An alarm takes the place of a
// message that cannot be sent, or goes to all ranks as a notice.
const alarm matching.Type = 1 << 31

// disagree in an alarm's type says that the ranks do not agree about the call.
const disagree matching.Type = 1 << 30

// IsAlarm reports whether a message with this type is an alarm.
func IsAlarm(t matching.Type) bool { return t&alarm != 0 }

// raise sends an alarm in place of a message, unless all ranks have got one.
func (o *Operation) raise(to matching.Rank) {
	if !o.told {
		o.space.ring(Messages, to, o.tag, alarm|o.mark, o.classForOthers())
	}
}

// tellAll sends all other ranks an alarm, since it is not known which of them wait
// for this rank.
func (o *Operation) tellAll(how matching.Type) {
	for i := 1; i < o.space.size; i++ {
		o.space.ring(Notices, o.space.comm.JobRank((o.space.rank+i)%o.space.size), o.tag, alarm|how|o.mark, o.classForOthers())
	}
	o.told = true
}

// classForOthers is the class of error that an alarm names: a rank that ends during a call has failed, for the others.
func (o *Operation) classForOthers() mpierr.Class {
	if o.err.Class == rpi.ErrClosed {
		return rpi.ErrProcFailed
	}
	return o.err.Class
}

// fail records the error of r, the message of a step, which has completed, if it has one.
func (o *Operation) fail(r *rpi.Request, st *schedule.Step) {
	switch {
	case r.Err != nil:
		o.failed(r, st)
	case r.Op == rpi.OpRecv && r.Status.Length != uint64(len(r.Buf)):
		o.err = o.mismatch(rpi.ErrCount, r, st)
	}
}

// failed records the error of r, which has one.
func (o *Operation) failed(r *rpi.Request, st *schedule.Step) {
	var other *rpi.TypeError
	switch {
	case errors.As(r.Err, &other):
		if o.err = o.otherElements(other.Sent, other.Wanted, r.Status); o.err == nil {
			o.unusable(other.Sent, r.Status)
		}
	case errors.Is(r.Err, rpi.ErrTruncate):
		o.err = o.mismatch(rpi.ErrTruncate, r, st)
	default:
		o.err = o.space.comm.Failure(o.op, r)
	}
}

// unusable records the error that a message means which this call cannot use: an
// alarm, or a message of a call about which the ranks do not agree.
func (o *Operation) unusable(sent matching.Type, s rpi.Status) {
	theirs := sent &^ (alarm | disagree)
	failed := sent&(alarm|disagree) == alarm && RoutineOf(theirs) == o.routine
	if failed || theirs == o.mark || o.accepts(theirs, &o.elements) {
		o.space.process.PeerFailed(s.Source)
		class := rpi.Class(s.Elem)
		o.err = mpierr.Invalid(o.op, class, "it failed on %s: %v", o.space.comm.PeerName(s.Source), class).About(o.space.comm.RankOf(s.Source))
	} else {
		o.err = o.difference(theirs, s)
	}
	if !failed && !o.told {
		o.tellAll(disagree)
	}
}

// mismatch is the error of a receive whose message has another length.
func (o *Operation) mismatch(class rpi.Class, r *rpi.Request, st *schedule.Step) *mpierr.Error {
	_, e := o.typeOf(st)
	return mpierr.Invalid(o.op, class, "rank %d sent %s of %s where this rank expects %d: the ranks must pass matching lengths",
		o.space.comm.RankOf(r.Status.Source), mpierr.Plural(int(r.Status.Length)/e.Size, "element"), e.Type.Name(), len(r.Buf)/e.Size).
		About(o.space.comm.RankOf(r.Status.Source))
}
