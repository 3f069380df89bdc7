package schedule

// Barrier is complete when all have begun it (MPI 4.1, section 6.3).
func Barrier(b *Builder, r Ranks, after Ref) Ref {
	if r.Hosts != nil {
		return barrierHosts(b, r, after)
	}
	switch c := b.choose(OpBarrier, r.Size, 0, false); c.Algorithm {
	case Dissemination:
		return barrierDissemination(b, r, after)
	case Tree:
		return barrierTree(b, r, after)
	default:
		return unknown(OpBarrier, c)
	}
}

// barrierDissemination takes few steps, ⌈log₂ n⌉: in step i each rank tells the one 2^i after it that it has begun, and
// with it all from which it has heard.
func barrierDissemination(b *Builder, r Ranks, after Ref) Ref {
	done, heard := after, after
	for distance := 1; distance < r.Size; distance *= 2 {
		sent := b.Send(r.At(r.Me+distance), Part{}, heard)
		heard = b.Join(heard, b.Recv(r.At(r.Me-distance), Part{}, after))
		done = b.Join(heard, sent)
	}
	return done
}

// barrierTree takes few messages, and so few changes of process where ranks share processors: up a wide tree and down
// again.
func barrierTree(b *Builder, r Ranks, after Ref) Ref {
	return barrierDown(b, r, barrierUp(b, r, after))
}

// barrierFan is how many children a rank has in barrierTree.
const barrierFan = 16

// barrierUp is complete at the first rank when all have begun.
func barrierUp(b *Builder, r Ranks, after Ref) Ref {
	here := after
	for child := barrierFan*r.Me + 1; child <= barrierFan*(r.Me+1) && child < r.Size; child++ {
		here = b.Join(here, b.Recv(r.At(child), Part{}, after))
	}
	if r.Me > 0 {
		here = b.Send(r.At((r.Me-1)/barrierFan), Part{}, here)
	}
	return here
}

// barrierDown tells all that the first rank has come here.
func barrierDown(b *Builder, r Ranks, after Ref) Ref {
	here := after
	if r.Me > 0 {
		here = b.Recv(r.At((r.Me-1)/barrierFan), Part{}, after)
	}
	done := here
	for child := barrierFan*r.Me + 1; child <= barrierFan*(r.Me+1) && child < r.Size; child++ {
		done = b.Join(done, b.Send(r.At(child), Part{}, here))
	}
	return done
}

// barrierHosts is a barrier in each host, with one between their first ranks in the middle.
func barrierHosts(b *Builder, r Ranks, after Ref) Ref {
	host := r.onHost()
	here := barrierUp(b, host, after)
	if host.Me == 0 {
		here = Barrier(b, r.firsts(b, int(r.Hosts.local[0])), here)
	}
	return barrierDown(b, host, here)
}
