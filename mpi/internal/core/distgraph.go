package core

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Weighing tells whether a rank gives weights to the edges of a graph.
type Weighing int64

// What a rank says of weights. One that has nothing to say leaves it to the others.
const (
	WeighsAsOthers Weighing = iota
	Unweighted
	Weighted
)

// offer is what a rank tells each other one when they make a graph together: how many edges it is going to send it.
type offer struct {
	Edges    int64
	Context  matching.Context
	Weighing Weighing
}

var (
	offerType = datatype.OfGo(reflect.TypeFor[offer]())
	edgeType  = datatype.OfGo(reflect.TypeFor[topology.Edge]())
)

// maxEdges bounds the edges that others can give a rank.
const maxEdges = 1 << 26

// DistGraphCreate makes a communicator whose ranks form a graph, of which each rank gives any edges. Ranks keep their order.
// First ranks tell each other how many edges they have for them. The edges themselves go over the new communicator, so that c has
// had one collective operation at all ranks, whatever fails.
func (c *View) DistGraphCreate(edges []topology.Edge, weighing Weighing, reorder bool) (*Comm, error) {
	const op = "mpi.DistGraphCreate"
	if err := c.Intra(op); err != nil {
		return nil, err
	}
	o, err := c.begin(collective.Create, Blocking, offerType)
	if err != nil {
		return nil, err
	}
	o.Named(op)
	o.Require(c.process.full(o.Op()))
	offers, answers := make([]offer, c.Size()), make([]offer, c.Size())
	bad := topology.CheckEdges(op, c.Size(), edges)
	o.Require(bad)
	if bad == nil {
		id := c.process.newContext()
		for i := range offers {
			offers[i] = offer{Context: id, Weighing: weighing}
		}
		for _, e := range edges {
			e.Ends(func(rank int) { offers[rank].Edges++ })
		}
	}
	if o.Agree(0, number(reorder), 0) {
		schedule.Alltoall(buffers(o, Of(offerType, offers), Of(offerType, answers)), c.ranks(), int(offerType.Size()), schedule.Start)
	}
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	weighted, bad := agreedWeighing(op, answers)
	if bad != nil {
		return nil, bad
	}
	made := newComm(c.process, answers[0].Context, c.group).inherit(c.Comm)
	view := made.View(c.ctx)
	graph, err := view.swapEdges(op, edges, offers, answers, weighted)
	if err != nil {
		made.release()
		return nil, err
	}
	made.arrange(graph)
	return made, nil
}

// agreedWeighing is whether the edges have weights. All ranks have the same answers.
func agreedWeighing(op string, answers []offer) (weighted bool, err *mpierr.Error) {
	with, without := -1, -1
	for rank, a := range answers {
		switch a.Weighing {
		case Weighted:
			with = rank
		case Unweighted:
			without = rank
		}
	}
	if with >= 0 && without >= 0 {
		return false, mpierr.Invalid(op, rpi.ErrArg, "rank %d gives weights and rank %d does not: all edges have weights, or none", with, without)
	}
	return with >= 0, nil
}

// swapEdges sends edges to the ranks at their ends, and makes this rank's part of the graph of those that come.
func (c *View) swapEdges(op string, edges []topology.Edge, offers, answers []offer, weighted bool) (*topology.DistGraph, error) {
	o, err := c.begin(collective.Create, Blocking, edgeType)
	if err != nil {
		return nil, err
	}
	o.Named(op)
	send, out := consecutive(offers)
	recv, in := consecutive(answers)
	if in < 0 {
		o.Require(mpierr.Invalid(op, rpi.ErrArg, "this rank would have more than %d edges", maxEdges))
		in = 0
	}
	outgoing, incoming := make([]topology.Edge, out), make([]topology.Edge, in)
	for next := append([]int{}, send.Displs...); len(edges) > 0; edges = edges[1:] {
		edges[0].Ends(func(rank int) {
			outgoing[next[rank]] = edges[0]
			next[rank]++
		})
	}
	if o.Agree(0, 0, 0) {
		from, to := Of(edgeType, outgoing), Of(edgeType, incoming)
		schedule.Alltoallv(buffers(o, from, to), c.ranks(), send.parts(schedule.In, from), recv.parts(schedule.Out, to), schedule.Start)
	}
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	sources, destinations := topology.EdgesOf(c.rank, incoming, weighted)
	return found(topology.NewDistGraph(op, c.Size(), sources, destinations))
}

// consecutive is the layout of edges, those for or of one rank after the other, and their number; -1 if there are too many.
func consecutive(offers []offer) (l Layout, total int) {
	l = Layout{Counts: make([]int, len(offers)), Displs: make([]int, len(offers))}
	for i, f := range offers {
		if f.Edges < 0 || f.Edges > int64(maxEdges-total) {
			return l, -1
		}
		l.Counts[i], l.Displs[i] = int(f.Edges), total
		total += int(f.Edges)
	}
	return l, total
}

// DistGraphNeighbors returns the edges that lead to this rank and from it.
func (c *View) DistGraphNeighbors() (sources, destinations topology.Adjacent, err error) {
	graph, err := topologyOf[*topology.DistGraph](c, "mpi.DistGraphNeighbors", "distributed graph", "DistGraphCreate")
	if err != nil {
		return sources, destinations, err
	}
	sources, destinations = graph.Adjacent()
	return sources, destinations, nil
}
