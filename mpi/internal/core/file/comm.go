package file

// Comm is what a file needs of its communicator, on which nothing else is sent. The calls are collective and return when this
// rank's part is done. Errors are those of the communicator.
type Comm interface {
	Rank() int
	Size() int
	// Bcast sends root's buffer to all ranks.
	Bcast(buffer []byte, root int) error
	// Allgather puts the blocks of all ranks, which have the same length, into all.
	Allgather(mine, all []byte) error
	// Alltoallv sends part i of send to rank i.
	Alltoallv(send []byte, sent Layout, recv []byte, received Layout) error
	// Free gives the communicator back.
	Free() error
}

// Layout says which part of a buffer belongs to which rank, in bytes.
type Layout struct{ Counts, Displs []int }

func newLayout(ranks int) Layout { return Layout{make([]int, ranks), make([]int, ranks)} }

// follow puts the parts one after the other, and returns how long they are together.
func (l Layout) follow() (total int) {
	for i, n := range l.Counts {
		l.Displs[i] = total
		total += n
	}
	return total
}
