package schedule

// Neighbors are the ranks with which a rank exchanges in a neighbourhood collective (MPI 4.1, section 8.6). A negative number
// stands for none: that block is not touched.
type Neighbors struct {
	// Sources are those from which it receives, Destinations those to which it sends, in the order of their blocks.
	Sources, Destinations []int32
	// Grid: there are two of each for a dimension, before this rank and behind it. What is sent to the one behind arrives there
	// as from the one before, even if both are the same rank.
	Grid bool
}

// received is the number of the source of which the i-th receive is. Several messages of one rank come in the order in which it
// has sent them, and in a grid the first one has been sent to the rank before its sender: it comes from behind.
func (n *Neighbors) received(i int) int {
	if n.Grid {
		return i ^ 1
	}
	return i
}

// Own calls f for each block that the rank me sends itself, with its numbers among the destinations and the sources. It reports
// whether it receives from itself as many as it sends itself. If not, there is no schedule for these neighbours.
func (n *Neighbors) Own(me int, f func(destination, source int)) bool {
	next := 0
	find := func() bool {
		for next < len(n.Sources) && int(n.Sources[n.received(next)]) != me {
			next++
		}
		return next < len(n.Sources)
	}
	for i, peer := range n.Destinations {
		if int(peer) == me {
			if !find() {
				return false
			}
			f(i, n.received(next))
			next++
		}
	}
	return !find()
}

// manySends is how many messages of a neighbourhood collective a rank sends at a time.
const manySends = 64

// Neighbor sends block i to destination i, and receives the block of source i: from and to say where they are. me is this
// rank. All receives begin at once, so that whatever the neighbours are no rank waits for one that waits for it.
func Neighbor(b *Builder, me int, n Neighbors, from, to func(i int) Part, after Ref) Ref {
	done := after
	for i := range n.Sources {
		k := n.received(i)
		if peer := int(n.Sources[k]); peer >= 0 && peer != me {
			done = b.Join(done, b.Recv(peer, to(k), after))
		}
	}
	n.Own(me, func(destination, source int) {
		done = b.Join(done, b.Copy(to(source), from(destination), after))
	})
	var open [manySends]Ref
	sent := 0
	for i, peer := range n.Destinations {
		if peer < 0 || int(peer) == me {
			continue
		}
		slot, before := &open[sent%manySends], after
		if sent >= manySends {
			before = *slot
		}
		*slot = b.Send(int(peer), from(i), before)
		done = b.Join(done, *slot)
		sent++
	}
	return done
}
