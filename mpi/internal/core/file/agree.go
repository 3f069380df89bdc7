package file

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// record is what a rank tells the others in a collective call.
type record struct {
	call   call
	class  rpi.Class // of its error; 0 if it has none
	values [values]int64
}

// values is how many numbers a record has.
const values = 5

const recordSize = 4 + 8*values

// textSize is how much of an error's text the other ranks get, in bytes.
const textSize = 248

func (r *record) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(r.call))
	b = binary.LittleEndian.AppendUint16(b, uint16(r.class))
	for _, v := range r.values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

func (r *record) parse(b []byte) {
	r.call, r.class = call(binary.LittleEndian.Uint16(b)), rpi.Class(binary.LittleEndian.Uint16(b[2:]))
	for i := range r.values {
		r.values[i] = int64(binary.LittleEndian.Uint64(b[4+8*i:]))
	}
}

// agree tells all ranks that this one is in call, which has failed with err unless that is nil, and some numbers. It returns
// what all ranks have told. If one has failed or is in another call, all ranks get an error: their own, else that of the first
// rank that has one.
func agree(comm Comm, in call, err error, numbers ...int64) ([]record, error) {
	mine := record{call: in}
	if err != nil {
		mine.class = classOf(err)
	}
	copy(mine.values[:], numbers)
	bytes := make([]byte, recordSize*comm.Size())
	if err := comm.Allgather(mine.append(nil), bytes); err != nil {
		return nil, lost(in, err)
	}
	all := make([]record, comm.Size())
	bad, other := -1, -1
	for i := range all {
		all[i].parse(bytes[i*recordSize:])
		if all[i].class != 0 && bad < 0 {
			bad = i
		}
		if all[i].call != in && other < 0 {
			other = i
		}
	}
	if bad >= 0 {
		text, lost := explain(comm, in, err, bad)
		switch {
		case err != nil:
			return nil, err
		case lost != nil:
			return nil, lost
		}
		return nil, mpierr.Invalid(in.op(), all[bad].class, "rank %d: %s", bad, text).About(bad)
	}
	if other >= 0 {
		return nil, mpierr.Invalid(in.op(), rpi.ErrNotSame,
			"rank %d called %v where this rank called %v: all ranks must call the same collective operations of a file in the same order",
			other, all[other].call, in).About(other)
	}
	return all, nil
}

func classOf(err error) rpi.Class {
	if e, ok := errors.AsType[*mpierr.Error](err); ok {
		return e.Class
	}
	return mpierr.ClassOf(err)
}

// explain tells the other ranks the text of err, and returns that of rank.
func explain(comm Comm, in call, err error, rank int) (string, error) {
	text := make([]byte, textSize)
	if e, ok := errors.AsType[*mpierr.Error](err); ok {
		copy(text, e.Detail)
	}
	all := make([]byte, textSize*comm.Size())
	if err := comm.Allgather(text, all); err != nil {
		return "", lost(in, err)
	}
	return strings.TrimRight(string(all[rank*textSize:(rank+1)*textSize]), "\x00"), nil
}

// lost is the error of a call in which the ranks could not reach each other.
func lost(in call, err error) error {
	wrapped := mpierr.Because(err, in.op(), classOf(err), "%v", err)
	if e, ok := errors.AsType[*mpierr.Error](err); ok {
		wrapped.Detail = e.Detail
		wrapped.Rank = e.Rank
	}
	return wrapped
}

// same checks that all ranks have told the same number at an index. what names it.
func same(in call, all []record, mine int, index int, what string, class rpi.Class) error {
	for i := range all {
		if all[i].values[index] != all[mine].values[index] {
			return mpierr.Invalid(in.op(), class, "rank %d passes %s %d where this rank passes %d: all ranks must pass the same",
				i, what, all[i].values[index], all[mine].values[index]).About(i)
		}
	}
	return nil
}
