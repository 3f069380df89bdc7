package schedule

// Bcast sends p from the rank at place root to all others (MPI 4.1, section 6.4).
func Bcast(b *Builder, r Ranks, root int, p Part, after Ref) Ref {
	switch c := b.choose(OpBcast, r.Size, p.Length); c.Algorithm {
	case Binomial:
		return bcastBinomial(b, r, root, p, after)
	default:
		panic("schedule: no algorithm " + string(c.Algorithm) + " for bcast")
	}
}

// bcastBinomial sends p from the rank at place root to all others along a binomial tree: log₂ n steps, each with the
// whole message.
func bcastBinomial(b *Builder, r Ranks, root int, p Part, after Ref) Ref {
	v := (r.Me - root + r.Size) % r.Size // places are counted from the root
	here, bit := after, 1
	for ; bit < r.Size; bit *= 2 {
		if v&bit != 0 {
			here = b.Recv(r.At(r.Me-bit), p, after)
			break
		}
	}
	done := here
	for bit /= 2; bit > 0; bit /= 2 {
		if v+bit < r.Size {
			done = b.Join(done, b.Send(r.At(r.Me+bit), p, here))
		}
	}
	return done
}
