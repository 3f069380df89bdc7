package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Dims returns how many ranks a grid of n ranks has in each dimension (MPI_DIMS_CREATE; MPI 4.1, section 8.5.2). A dimension of 0
// is to be chosen, others are given: Dims(12, 0, 0) is 4 and 3, Dims(12, 0, 2, 0) is 3, 2 and 2. Those that are chosen are in
// non-increasing order, and as close to each other as n allows: the largest and the smallest differ by as little as possible, and
// among these choices the smallest is as large as possible, then the second smallest, and so on. ErrDims: n cannot be divided so. n is at most 2³¹-1 (ErrArg).
func Dims(n int, dims ...int) ([]int, error) {
	chosen := append([]int{}, dims...)
	if err := core.Dims(n, chosen); err != nil {
		return nil, public(err)
	}
	return chosen, nil
}

// CartCreate returns a communicator whose ranks form a grid: its Cartesian topology (MPI_CART_CREATE; MPI 4.1, section
// 8.5.1). dims has the number of ranks in each dimension; periods tells for each whether its ends are neighbours, nil that
// none are. The last coordinate changes first from rank to rank. Ranks that the grid has no place for get nil. Without
// dimensions it has one rank. ErrTopology: c has not enough ranks. Collective; all ranks pass the same.
//
// reorder allows other ranks than in c. The library keeps their order: launchers give the processes of a host consecutive ranks.
func (c *Comm) CartCreate(dims []int, periods []bool, reorder bool) (*Comm, error) {
	return commOr(c.core().CartCreate(dims, orNone(periods, dims), reorder))
}

// orNone is periods; if they are nil no dimension has one.
func orNone(periods []bool, dims []int) []bool {
	if periods == nil {
		return make([]bool, len(dims))
	}
	return periods
}

// CartSub divides a grid into grids of fewer dimensions, those for which remain is true (MPI_CART_SUB; section 8.5.7): the
// rows of a matrix of ranks are CartSub(false, true). Each rank gets the one that it is in. Collective.
func (c *Comm) CartSub(remain ...bool) (*Comm, error) { return commOr(c.core().CartSub(remain)) }

// CartGet returns what CartCreate was given, and the coordinates of this rank (MPI_CART_GET, MPI_CARTDIM_GET; section
// 8.5.5). As all that follows it is ErrTopology if c has no Cartesian topology.
func (c *Comm) CartGet() (dims []int, periods []bool, coords []int, err error) {
	dims, periods, coords, err = c.core().CartGet()
	return dims, periods, coords, public(err)
}

// CartRank returns the rank with the given coordinates (MPI_CART_RANK; section 8.5.5). In a periodic dimension a coordinate
// may be any number; it counts modulo the number of ranks. ErrArg: there is no such rank.
func (c *Comm) CartRank(coords ...int) (int, error) { return valueOr(c.core().CartRank(coords)) }

// CartCoords returns the coordinates of a rank (MPI_CART_COORDS; section 8.5.5).
func (c *Comm) CartCoords(rank int) ([]int, error) { return valueOr(c.core().CartCoords(rank)) }

// CartShift returns which ranks are by places before this one in a dimension, and behind it (MPI_CART_SHIFT; section 8.5.6): a
// Sendrecv to dest and from source moves data by that much. They are ProcNull beyond a border. by may be negative.
func (c *Comm) CartShift(dimension, by int) (source, dest int, err error) {
	source, dest, err = c.core().CartShift(dimension, by)
	return source, dest, public(err)
}

// CartMap returns the rank that CartCreate would give this process, Undefined if none (MPI_CART_MAP; section 8.5.8). It is local.
func (c *Comm) CartMap(dims []int, periods []bool) (int, error) {
	return valueOr(c.core().CartMap(dims, orNone(periods, dims)))
}
