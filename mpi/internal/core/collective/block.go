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

// AddBlock adds a block to the memory of the operation, about which the ranks have agreed: see Agree.
func (o *Operation) AddBlock(memory []byte, e Elements) {
	t := o.terms
	t.sig = e.Sig
	o.blocks = append(o.blocks, block{memory, e, t.mark()})
}

// Block is the i-th block that has been added, as the schedule of the operation knows it.
func (o *Operation) Block(i int) schedule.Part {
	return schedule.Part{Buffer: schedule.Blocks + schedule.Buffer(i), Length: len(o.blocks[i].memory)}
}

// typeOf is what the message of a step has in place of its type, and what its elements are.
func (o *Operation) typeOf(st *schedule.Step) (mark matching.Type, e *Elements) {
	if st.A.Buffer < schedule.Blocks {
		return o.mark, &o.elements
	}
	b := &o.blocks[st.A.Buffer-schedule.Blocks]
	return b.mark, &b.elements
}

// otherElements is the error of a message of a call with blocks whose elements are of another type than those of the block, nil
// if this is not what is wrong with it.
func (o *Operation) otherElements(sent, wanted matching.Type, s rpi.Status) *mpierr.Error {
	if len(o.blocks) == 0 {
		return nil
	}
	theirs, mine := o.nameOf(sent), o.nameOf(wanted)
	if theirs == "" || mine == "" {
		return nil
	}
	return mpierr.Invalid(o.op, rpi.ErrType, "%s sent elements of %s where this rank expects %s: what a rank sends to another and "+
		"what that receives must be of the same type", o.space.comm.PeerName(s.Source), theirs, mine).
		About(o.space.comm.RankOf(s.Source))
}

// nameOf is the name of the type whose elements explain a mark, "" if it is not known.
func (o *Operation) nameOf(mark matching.Type) (name string) {
	o.space.process.Known(func(e Elements) bool {
		t := o.terms
		t.sig = e.Sig
		if t.mark() == mark {
			name = e.Name
		}
		return name == ""
	})
	return name
}
