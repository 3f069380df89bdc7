package collective

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// block is memory with elements of its own type: in operations in which two ranks must agree on what goes from one to the other,
// and not all ranks on all.
type block struct {
	memory   []byte
	elements Elements
	mark     matching.Type // of a call whose elements are all of this type
}

// AddBlock adds a block to the memory of the operation, about which the ranks have agreed: see Agree. One without elements has the
// mark of the call, whatever its type.
func (o *Operation) AddBlock(memory []byte, e Elements) {
	t := o.runs
	if len(memory) > 0 {
		t.sig = e.Sig
	}
	o.blocks = append(o.blocks, block{memory, e, t.mark()})
}

// Block is the i-th block that has been added, as the schedule of the operation knows it.
func (o *Operation) Block(i int) schedule.Part {
	return schedule.Part{Buffer: schedule.Blocks + schedule.Buffer(i), Length: len(o.blocks[i].memory)}
}

// typeOf is what the message of a step has in place of its type, and what its elements are.
func (o *Operation) typeOf(st *schedule.Step) (mark matching.Type, e *Elements) {
	if st.A.Buffer < schedule.Blocks || o.making { // what is told of the memory belongs to the call
		return o.mark, &o.elements
	}
	b := &o.blocks[st.A.Buffer-schedule.Blocks]
	return b.mark, &b.elements
}

// Matches implements rpi.Matcher.
func (s *step) Matches(sent matching.Type, length, room uint64) bool {
	if IsAlarm(sent) || (length == 0) != (room == 0) {
		return false
	}
	o := s.operation
	t := o.terms
	_, e := o.typeOf(&o.schedule.Steps[s.index])
	if e != &o.elements && len(s.Buf) > 0 {
		t.sig = e.Sig
	}
	return t.accepts(sent, e)
}

// otherElements is the error of a message of a call with blocks that has other elements than those of the block, nil if this is not
// what is wrong with it.
func (o *Operation) otherElements(sent, wanted matching.Type, s rpi.Status) *mpierr.Error {
	if len(o.blocks) == 0 || o.making || IsAlarm(sent) || RoutineOf(sent) != o.routine {
		return nil
	}
	class := mpierr.Class(rpi.ErrType)
	if sent == o.mark || wanted == o.mark {
		class = rpi.ErrCount
	}
	return mpierr.Invalid(o.op, class, "%s sent %s where this rank expects %s: the two must agree on it",
		o.space.comm.PeerName(s.Source), o.contents(sent), o.contents(wanted)).About(o.space.comm.RankOf(s.Source))
}

// contents says what a message with a mark consists of.
func (o *Operation) contents(mark matching.Type) string {
	if mark == o.mark {
		return "nothing"
	}
	text := "elements of a type unknown here"
	o.space.process.Known(func(e Elements) bool {
		t := o.terms
		t.sig = e.Sig
		if t.mark() != mark {
			return true
		}
		text = "elements of " + e.Type.Name()
		return false
	})
	return text
}
