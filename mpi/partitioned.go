package mpi

// PsendInit returns a persistent request that sends buf in partitions of equal length (MPI_PSEND_INIT; MPI 4.1, section
// 4.2.1). When it has been started, nothing is sent before Pready, PreadyRange or PreadyList says which partitions are
// ready: each leaves at once, in whatever order and from whatever goroutine. The request completes when all have been
// declared ready and buf may be written to again. See SendInit for persistent requests.
//
// It is received by a request of PrecvInit alone, with the same tag, on the same communicator. The two are matched once,
// in the order in which they were made, and then for all their runs. The receiver may have another number of partitions.
// PsendInit does not wait for it. More than 4096 partitions share messages, which leave when all in them are ready.
//
// Errors: those of SendInit, and ErrArg or ErrCount if there is no such number of partitions.
func PsendInit[T any](c *Comm, buf []T, partitions, dest, tag int) (*Request, error) {
	return newRequest(c.core().PsendInit("mpi.PsendInit", view(buf), partitions, dest, tag))
}

// PrecvInit returns a persistent request that receives what one of PsendInit sends (MPI_PRECV_INIT; section 4.2.1).
// Parrived tells which partitions have come. The source and the tag must be given. If buf is longer than what is sent, its
// end stays as it is; if it is shorter Wait returns ErrTruncate.
func PrecvInit[T any](c *Comm, buf []T, partitions, source, tag int) (*Request, error) {
	return newRequest(c.core().PrecvInit("mpi.PrecvInit", view(buf), partitions, source, tag))
}

// Pready says that a partition of a started PsendInit is ready: it may be sent, and must not be written to until the request
// has completed (MPI_PREADY; section 4.2.1). ErrRequest: it is no such request, or inactive. ErrArg: there is no such
// partition, or it is ready already.
func (r *Request) Pready(partition int) error {
	return public(r.core().Pready("mpi.Pready", partition, partition))
}

// PreadyRange is Pready for the partitions from first to last, both included (MPI_PREADY_RANGE; section 4.2.1).
func (r *Request) PreadyRange(first, last int) error {
	return public(r.core().Pready("mpi.PreadyRange", first, last))
}

// PreadyList is Pready for several partitions, in the order given (MPI_PREADY_LIST; section 4.2.1). It stops at the first
// error.
func (r *Request) PreadyList(partitions ...int) error {
	for _, i := range partitions {
		if err := r.core().Pready("mpi.PreadyList", i, i); err != nil {
			return public(err)
		}
	}
	return nil
}

// Parrived reports whether a partition of a request of PrecvInit has been received, so that it may be used
// (MPI_PARRIVED; section 4.2.2). It moves messages like Test. The request stays active: Wait or Test completes it. Of an
// inactive one all partitions count as received. The error is ErrRequest or ErrArg for the arguments, or why the partition
// will not come, such as ErrProcFailed.
func (r *Request) Parrived(partition int) (bool, error) {
	return valueOr(r.core().Parrived("mpi.Parrived", partition))
}

// PsendDataInit is PsendInit of Data, of which the blocks are divided among the partitions.
func PsendDataInit(c *Comm, d Data, partitions, dest, tag int) (*Request, error) {
	return newRequest(c.core().PsendInit("mpi.PsendDataInit", d.memory(), partitions, dest, tag))
}

// PrecvDataInit is PrecvInit into Data. A partition is there when Parrived has reported it, or Wait or Test has returned the
// outcome of the request, and not before.
func PrecvDataInit(c *Comm, d Data, partitions, source, tag int) (*Request, error) {
	return newRequest(c.core().PrecvInit("mpi.PrecvDataInit", d.memory(), partitions, source, tag))
}
