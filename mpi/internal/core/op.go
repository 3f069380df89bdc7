package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/combine"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Op is a reduction operation.
type Op struct {
	// Combine combines two vectors, element by element: left = left ∘ right. It must not change right. The elements lie in the
	// slots of their type: see Slot. Nil: there is none.
	Combine func(left, right []byte)
	// Reduction is its number, so that ranks that pass different ones notice.
	Reduction collective.Reduction
	// Properties are what algorithms may rely on.
	schedule.Op
	// Safe: it calls no function of the program, and so it may run when the program is in no call.
	Safe bool
}

// PredefinedOp is a predefined operation on elements of a predefined type.
func PredefinedOp(op string, r collective.Reduction, t *Type) (Op, error) {
	f := combine.For(r, t.Kind())
	if f == nil {
		return Op{}, mpierr.Invalid(op, rpi.ErrOp, "%v is not an operation on elements of %s: section 6.9.2 of MPI 4.1 says which types it has", r, t.Name())
	}
	return Op{Combine: f, Reduction: r, Op: schedule.Op{Commutes: true, Exact: combine.Exact(r, t.Kind())}, Safe: true}, nil
}

// ReduceLocal combines two vectors of this process: inout = in ∘ inout (MPI 4.1, section 6.9.7). The operation must commute.
func ReduceLocal(op string, in, inout Buffer, o Op) error {
	if err := in.wrong(op); err != nil {
		return err
	}
	if err := inout.wrong(op); err != nil {
		return err
	}
	if in.Count > 0 {
		o.Combine(inout.solid(), in.solid())
	}
	return nil
}
