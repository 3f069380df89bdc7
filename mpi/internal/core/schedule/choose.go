package schedule

// Operation is a collective operation that has several algorithms.
type Operation uint8

// The operations. Variants that are chosen alike are one operation.
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

func (o Operation) String() string {
	return [operations]string{
		"barrier", "bcast", "reduce", "allreduce", "reducescatter", "scan", "gather", "scatter", "allgather", "alltoall",
	}[o]
}

// Algorithm names an algorithm. The empty name leaves the choice to the table.
type Algorithm string

// The algorithms. What each does is told where it is written.
const (
	Binomial          Algorithm = "binomial"
	BinaryTree        Algorithm = "binarytree"
	Bruck             Algorithm = "bruck"
	Chain             Algorithm = "chain"
	Circulant         Algorithm = "circulant"
	Dissemination     Algorithm = "dissemination"
	Doubling          Algorithm = "doubling"
	Gathered          Algorithm = "gathered"
	Halving           Algorithm = "halving"
	Linear            Algorithm = "linear"
	Pairwise          Algorithm = "pairwise"
	ReduceThenScatter Algorithm = "reduce+scatter"
	Ring              Algorithm = "ring"
	ScatterAllgather  Algorithm = "scatter+allgather"
	ScatterRing       Algorithm = "scatter+ring"
	Tree              Algorithm = "tree"
)

// Choice is an algorithm and, if it cuts messages into segments, their length in bytes.
type Choice struct {
	Algorithm Algorithm
	Segment   int
}

//go:generate go run ./tune

// row says which algorithm an operation uses for at most so many ranks and at most so many bytes, which are those that
// its function says. The first row that fits counts.
type row struct {
	ranks, bytes int
	which        which
	choice       Choice
}

// which says which cases a row is for: those in which the operation of the reduction commutes, those in which few messages
// are better than few steps, or those in which the number of ranks is no power of two.
type which uint8

const (
	always which = iota
	commuting
	fewMessages
	uneven
)

// unlimited stands in a row for any number of ranks or bytes.
const unlimited = int(^uint(0) >> 1)

// Force makes an operation use an algorithm from now on, whatever the table says. The empty Choice ends that. All ranks
// must say the same, and the algorithm must be one that the operation has: else its function panics.
func (b *Builder) Force(o Operation, c Choice) { b.force[o] = c }

// FewMessages tells from now on that few messages are better than few steps, as where ranks share processors. It changes
// no result. All ranks must say the same.
func (b *Builder) FewMessages(yes bool) { b.few = yes }

// choose returns which algorithm an operation uses. Both numbers are values that MPI makes equal on all ranks.
func (b *Builder) choose(o Operation, ranks, bytes int, commutes bool) Choice {
	if c := b.force[o]; c.Algorithm != "" {
		return c
	}
	for i := range table[o] {
		row := &table[o][i]
		if ranks <= row.ranks && bytes <= row.bytes && b.fits(row.which, ranks, commutes) {
			return row.choice
		}
	}
	return Choice{}
}

func (b *Builder) fits(w which, ranks int, commutes bool) bool {
	switch w {
	case commuting:
		return commutes
	case fewMessages:
		return b.few
	case uneven:
		return ranks&(ranks-1) != 0
	}
	return true
}

// unknown is for an algorithm that the operation does not have.
func unknown(o Operation, c Choice) Ref {
	panic("schedule: there is no algorithm " + string(c.Algorithm) + " for " + o.String())
}
