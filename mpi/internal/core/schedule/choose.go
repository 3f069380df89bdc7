package schedule

// Operation is a collective operation that has several algorithms.
type Operation uint8

// The operations. What tells them apart is how their algorithms are chosen: the vector variants are those without V.
const (
	OpBarrier Operation = iota
	OpBcast
	OpReduce
	OpAllreduce
	OpReduceScatter
	OpScan
	OpGather
	OpScatter
	OpAllgather
	OpAlltoall
	operations
)

var operationNames = [operations]string{
	"barrier", "bcast", "reduce", "allreduce", "reducescatter", "scan", "gather", "scatter", "allgather", "alltoall",
}

func (o Operation) String() string { return operationNames[o] }

// Algorithm names an algorithm. The empty name leaves the choice to the table.
type Algorithm string

// The algorithms. What each does is told where it is written.
const (
	Binomial Algorithm = "binomial"
)

// Choice is an algorithm and, if it cuts messages into segments, their length in bytes.
type Choice struct {
	Algorithm Algorithm
	Segment   int
}

// row says which algorithm an operation uses for at most so many ranks and at most so many bytes. The first row that
// fits counts.
type row struct {
	ranks, bytes int
	choice       Choice
}

// unlimited stands in a row for any number of ranks or bytes.
const unlimited = int(^uint(0) >> 1)

// Force makes an operation use an algorithm from now on, whatever the table says. The empty Choice ends that. All ranks
// must say the same.
func (b *Builder) Force(o Operation, c Choice) { b.force[o] = c }

// choose returns which algorithm an operation uses. Both numbers are values that MPI makes equal on all ranks.
func (b *Builder) choose(o Operation, ranks, bytes int) Choice {
	if c := b.force[o]; c.Algorithm != "" {
		return c
	}
	for i := range table[o] {
		if row := &table[o][i]; ranks <= row.ranks && bytes <= row.bytes {
			return row.choice
		}
	}
	return Choice{}
}
