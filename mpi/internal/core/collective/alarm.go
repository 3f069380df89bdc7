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
// its type is the mark of the sender's call, with the origin of the failure in place
// of its hash. An alarm takes the place of a
// message that cannot be sent, or goes to all ranks as a notice.
const alarm matching.Type = 1 << 31

// disagree in an alarm's type says that the ranks do not agree about the call. Such an alarm has the whole mark.
const disagree matching.Type = 1 << 30

// IsAlarm reports whether a message with this type is an alarm.
func IsAlarm(t matching.Type) bool { return t&alarm != 0 }

// failure is the type of an alarm of this rank: it names the process at which the failure began, by its rank in the job and one.
// 0 stands for the sender, also where a rank is too large.
func (o *Operation) failure() matching.Type {
	origin := matching.Type(mpierr.Origin(o.err, int(o.space.comm.JobRank(o.space.rank))) + 1)
	if origin > hashMask {
		origin = 0
	}
	return alarm | o.mark&^hashMask | origin
}

// originOf is the process at which a failure began of which an alarm from a process tells.
func originOf(sent matching.Type, from matching.Rank) matching.Rank {
	if origin := matching.Rank(sent & hashMask); sent&disagree == 0 && origin > 0 {
		return origin - 1
	}
	return from
}

// raise sends an alarm in place of a message, unless all ranks have got one.
func (o *Operation) raise(to matching.Rank) {
	if !o.told {
		o.space.ring(Messages, to, o.tag, o.failure(), o.classForOthers())
	}
}

// tellAll sends all other ranks an alarm, since it is not known which of them wait
// for this rank.
func (o *Operation) tellAll() { o.tell(o.failure()) }

// tellDisagreement tells all other ranks that they do not agree about the call.
func (o *Operation) tellDisagreement() { o.tell(alarm | disagree | o.mark) }

func (o *Operation) tell(what matching.Type) {
	for i := 1; i < o.space.size; i++ {
		o.space.ring(Notices, o.space.comm.JobRank((o.space.rank+i)%o.space.size), o.tag, what, o.classForOthers())
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
	// What a rank calls on a communicator that it knows to be revoked fails there, and the others need not call it.
	failed := sent&(alarm|disagree) == alarm && (RoutineOf(theirs) == o.routine || rpi.Class(s.Elem) == rpi.ErrRevoked)
	if failed || theirs == o.mark || o.accepts(theirs, &o.elements) {
		o.err = o.space.comm.Elsewhere(o.op, rpi.Class(s.Elem), originOf(sent, s.Source), s.Source)
	} else {
		o.err = o.difference(theirs, s)
	}
	if !failed && !o.told {
		o.tellDisagreement()
	}
}

// mismatch is the error of a receive whose message has another length.
func (o *Operation) mismatch(class rpi.Class, r *rpi.Request, st *schedule.Step) *mpierr.Error {
	_, e := o.typeOf(st)
	return mpierr.Invalid(o.op, class, "rank %d sent %s of %s where this rank expects %d: the ranks must pass matching lengths",
		o.space.comm.RankOf(r.Status.Source), mpierr.Plural(int(r.Status.Length)/e.Size, "element"), e.Type.Name(), len(r.Buf)/e.Size).
		About(o.space.comm.RankOf(r.Status.Source))
}
