package mpi

import (
	"fmt"
	"reflect"
	"sync"
)

// SendValue is Send of one element: a message of one element, which Recv and
// its like receive as well as RecvValue.
func SendValue[T any](c *Comm, value T, dest, tag int) error {
	v := newCell(value)
	defer v.free()
	return named("mpi.SendValue", Send(c, v.in(), dest, tag))
}

// RecvValue receives a message of one element, with the errors of Recv. A
// message without an element is ErrCount, one with several is ErrTruncate. From
// ProcNull comes the zero value.
func RecvValue[T any](c *Comm, source, tag int) (T, Status, error) {
	const op = "mpi.RecvValue"
	v := emptyCell[T]()
	defer v.free()
	status, err := Recv(c, v.out(), source, tag)
	if err == nil {
		err = single(status)
	}
	value, err := v.result(1, op, err)
	return value, status, err
}

// SendrecvValue sends a value and receives one at the same time, as Sendrecv
// does, with its errors and those of RecvValue.
func SendrecvValue[T any](c *Comm, value T, dest, sendTag, source, recvTag int) (T, Status, error) {
	const op = "mpi.SendrecvValue"
	v := newCell(value)
	defer v.free()
	status, err := Sendrecv(c, v.in(), dest, sendTag, v.out(), source, recvTag)
	if err == nil {
		err = single(status)
	}
	got, err := v.result(1, op, err)
	return got, status, err
}

// single is the error of a message that should have one element and has
// status, nil if it has.
func single(status Status) error {
	if status.Count == 1 || status.Source == ProcNull {
		return nil
	}
	return invalid("", ErrCount, "the message from %s has no element where one is expected", sender(status).name).about(status.Source)
}

// origin is where a message comes from, for errors.
type origin struct {
	rank int
	name string
}

func sender(status Status) origin {
	return origin{status.Source, fmt.Sprintf("rank %d with tag %d", status.Source, status.Tag)}
}

func ranked(rank int) origin { return origin{rank, fmt.Sprintf("rank %d", rank)} }

// BcastValue returns root's value on all ranks: Bcast of one element (MPI 4.1,
// section 6.4). The value of other ranks is not used. Collective.
func BcastValue[T any](c *Comm, value T, root int) (T, error) {
	v := newCell(value)
	defer v.free()
	err := Bcast(c, v.in(), root)
	return v.result(0, "mpi.BcastValue", err)
}

// ReduceValue combines the values of all ranks with op and returns the result
// at root, the zero value elsewhere: Reduce of one element (section 6.9.1).
// Collective.
func ReduceValue[T any](c *Comm, value T, op Op[T], root int) (T, error) {
	v := newCell(value)
	defer v.free()
	err := Reduce(c, v.in(), v.out(), op, root)
	return v.result(1, "mpi.ReduceValue", err)
}

// AllreduceValue combines the values of all ranks with op and returns the
// result on all of them: Allreduce of one element (section 6.9.6). Collective.
func AllreduceValue[T any](c *Comm, value T, op Op[T]) (T, error) {
	v := newCell(value)
	defer v.free()
	err := Allreduce(c, v.in(), v.out(), op)
	return v.result(1, "mpi.AllreduceValue", err)
}

// ScanValue combines the values of the ranks from 0 to this one: Scan of one
// element (section 6.11.1). Collective.
func ScanValue[T any](c *Comm, value T, op Op[T]) (T, error) {
	v := newCell(value)
	defer v.free()
	err := Scan(c, v.in(), v.out(), op)
	return v.result(1, "mpi.ScanValue", err)
}

// ExscanValue combines the values of the ranks before this one: Exscan of one
// element (section 6.11.2). Rank 0 gets the zero value. Collective.
func ExscanValue[T any](c *Comm, value T, op Op[T]) (T, error) {
	v := newCell(value)
	defer v.free()
	err := Exscan(c, v.in(), v.out(), op)
	return v.result(1, "mpi.ExscanValue", err)
}

// GatherValues returns the values of all ranks at root, in the order of ranks,
// nil elsewhere: Gather of one element of each (section 6.5). Collective.
func GatherValues[T any](c *Comm, value T, root int) ([]T, error) {
	v := newCell(value)
	defer v.free()
	var all []T
	if root == c.Rank() && !c.Inter() || root == Root {
		all = make([]T, givers(c))
	}
	if err := Gather(c, v.in(), all, root); err != nil {
		return nil, named("mpi.GatherValues", err)
	}
	return all, nil
}

// AllgatherValues returns the values of all ranks, in the order of ranks:
// Allgather of one element of each (section 6.7). Collective.
func AllgatherValues[T any](c *Comm, value T) ([]T, error) {
	v := newCell(value)
	defer v.free()
	all := make([]T, givers(c))
	if err := Allgather(c, v.in(), all); err != nil {
		return nil, named("mpi.AllgatherValues", err)
	}
	return all, nil
}

// givers is how many ranks give a rank something in Allgather: all, or those of the other group.
func givers(c *Comm) int {
	if c.Inter() {
		return c.RemoteSize()
	}
	return c.Size()
}

// ScatterValues returns on each rank the value at its place in root's values,
// of which there are as many as ranks: Scatter of one element for each
// (section 6.6). The values of other ranks are not used. Collective.
func ScatterValues[T any](c *Comm, values []T, root int) (T, error) {
	v := emptyCell[T]()
	defer v.free()
	err := Scatter(c, values, v.out(), root)
	return v.result(1, "mpi.ScatterValues", err)
}

// cell holds the two values of an operation, what goes out and what comes in,
// where the operation can see them as slices. Cells come from pools, one for
// each type, so that an operation on values need not allocate.
type cell[T any] [2]T

var cells sync.Map // reflect.Type of T → *sync.Pool of *cell[T]

func cellPool[T any]() *sync.Pool {
	t := reflect.TypeFor[T]()
	if pool, ok := cells.Load(t); ok {
		return pool.(*sync.Pool)
	}
	pool, _ := cells.LoadOrStore(t, &sync.Pool{New: func() any { return new(cell[T]) }})
	return pool.(*sync.Pool)
}

func emptyCell[T any]() *cell[T] { return cellPool[T]().Get().(*cell[T]) }

func newCell[T any](value T) *cell[T] {
	v := emptyCell[T]()
	v[0] = value
	return v
}

func (v *cell[T]) in() []T  { return v[0:1:1] }
func (v *cell[T]) out() []T { return v[1:2] }

// result is the outcome of the operation op, which has left its value in v[i].
func (v *cell[T]) result(i int, op string, err error) (value T, _ error) {
	if err != nil {
		return value, named(op, err)
	}
	return v[i], nil
}

func (v *cell[T]) free() {
	*v = cell[T]{}
	cellPool[T]().Put(v)
}

// named is err, an error of this package or nil, as that of another operation:
// the one that the program has called.
func named(op string, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	renamed := *e
	renamed.Op = op
	return &renamed
}
