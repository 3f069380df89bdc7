package schedule

// An allgather in two levels: the blocks of each host are gathered at its first rank, the first ranks exchange what their
// hosts have, and pass it on to the others of their host. So a block crosses the network once for each other host, however
// many ranks that has.

// twoLevels reports whether two levels are better for an allgather. A ring crosses the network no more often if the ranks of each
// host stand together, and Bruck's algorithm does not if they are dealt out like cards to hosts whose number is a power of two.
func (r Ranks) twoLevels(ring bool) bool {
	switch {
	case r.Hosts == nil:
		return false
	case ring:
		return !r.Hosts.together
	}
	return !r.Hosts.dealt
}

// allgatherHosts is Allgatherv in two levels.
func allgatherHosts(b *Builder, r Ranks, own Part, at func(place int) Part, total int, after Ref) Ref {
	h, host := r.Hosts, r.onHost()
	if b.choose(OpAllgather, len(h.firsts), total, false).Algorithm == Ring {
		return ringOfHosts(b, r, own, at, after)
	}
	image, starts := h.image(b, at)
	block := func(place int) Part { return image.Sub(starts[place], at(place).Length) }
	part := func(host int) Part { // all blocks of a host
		start, end := starts[h.firsts[host]], image.Length
		if host+1 < len(h.firsts) {
			end = starts[h.firsts[host+1]]
		}
		return image.Sub(start, end-start)
	}
	ready := gatherOnHost(b, host, own, block, after)
	if host.Me == 0 {
		ready = bruckOfBlocks(b, r.firsts(b, r.Me), part(int(h.of[r.Me])), part, ready)
	}
	return h.unload(b, image, at, Bcast(b, host, 0, image, ready))
}

// ringOfHosts passes long blocks around a ring of hosts, and on to the ranks of each as they come. They go straight to where
// they belong.
func ringOfHosts(b *Builder, r Ranks, own Part, at func(place int) Part, after Ref) Ref {
	h, host := r.Hosts, r.onHost()
	n, mine := len(h.firsts), int(h.of[r.Me])
	ring := Ranks{Me: mine, Size: n, In: h.firsts}
	ready := gatherOnHost(b, host, own, at, after)
	here, done := ready, ready
	for step := range n {
		now := (mine - step + n) % n
		for _, place := range h.on(now) {
			done = b.Join(done, Bcast(b, host, 0, at(int(place)), here))
		}
		if host.Me > 0 || step == n-1 {
			continue
		}
		for _, place := range h.on(now) {
			done = b.Join(done, b.Send(ring.At(mine+1), at(int(place)), here))
		}
		here = after
		for _, place := range h.on((now - 1 + n) % n) {
			here = b.Join(here, b.Recv(ring.At(mine-1), at(int(place)), after))
		}
	}
	return done
}

// gatherOnHost gathers the blocks of a host's ranks at the first of them. Elsewhere it is complete when the own block has left.
func gatherOnHost(b *Builder, host Ranks, own Part, block func(place int) Part, after Ref) Ref {
	if host.Me > 0 {
		return b.Send(host.At(0), own, after)
	}
	ready := b.Copy(block(host.At(0)), own, after)
	for i := 1; i < host.Size; i++ {
		ready = b.Join(ready, b.Recv(host.At(i), block(host.At(i)), after))
	}
	return ready
}

// on is the ranks of a host.
func (h *Hosts) on(host int) []int32 { return h.order[h.begins[host]:h.begins[host+1]] }

// image is memory for the blocks of all ranks, host by host, and where that of each rank starts. It is in Out if they follow
// each other there; where it is may differ from rank to rank.
func (h *Hosts) image(b *Builder, at func(place int) Part) (image Part, starts []int) {
	starts = b.sums(len(h.order))
	total, direct := 0, true
	for _, place := range h.order {
		p := at(int(place))
		if total == 0 {
			image = p
		}
		direct = direct && (p.Length == 0 || p.Offset == image.Offset+total)
		starts[place] = total
		total += p.Length
	}
	if image.Length = total; !direct {
		image = b.Scratch(total)
	}
	return image, starts
}

// unload copies the blocks from an image to where they go, if that is somewhere else.
func (h *Hosts) unload(b *Builder, image Part, at func(place int) Part, after Ref) Ref {
	if image.Buffer != Scratch {
		return after
	}
	done, from := after, 0
	for i := 0; i < len(h.order); {
		p := at(int(h.order[i]))
		for i++; i < len(h.order); i++ { // blocks that follow each other in both are copied together
			next := at(int(h.order[i]))
			if next.Offset != p.Offset+p.Length {
				break
			}
			p.Length += next.Length
		}
		done = b.Join(done, b.Copy(p, image.Sub(from, p.Length), after))
		from += p.Length
	}
	return done
}
