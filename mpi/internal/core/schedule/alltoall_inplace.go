package schedule

// alltoallInPlace exchanges blocks that are replaced by what comes for them: at says where the one for each rank is, and there
// goes the one from that rank. In each step ranks exchange in pairs, after a copy of what goes out. So much is copied at a time
// as is under way. Ranks have the steps in the same order, so that none waits for one that waits for it.
func alltoallInPlace(b *Builder, r Ranks, at func(place int) Part, empty bool, after Ref) Ref {
	longest := 1
	for i := range r.Size {
		if i != r.Me {
			longest = max(longest, at(i).Length)
		}
	}
	var window [maxExchanges]struct {
		copy Part
		done Ref
	}
	width, n := min(max(windowBytes/longest, 1), maxExchanges), 0
	done := after
	for step := range r.Size {
		place := (step - r.Me + r.Size) % r.Size
		block := at(place)
		if place == r.Me || block.Length == 0 && !empty {
			continue
		}
		w, before := &window[n%width], after
		if n < width {
			w.copy = b.Scratch(longest)
		} else {
			before = w.done
		}
		out := w.copy.Sub(0, block.Length)
		saved := b.Copy(out, block, before)
		w.done = b.Join(b.Send(r.At(place), out, saved), b.Recv(r.At(place), block, saved))
		done = b.Join(done, w.done)
		n++
	}
	return done
}
