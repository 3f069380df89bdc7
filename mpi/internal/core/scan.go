package core

// Scan combines, for each rank, the vectors of the ranks up to and including it.
func (c *View) Scan(send, recv Buffer, f Combine, by Reduction) error {
	return c.scan(opScan, send, recv, f, by)
}

// Exscan is Scan of the ranks before this one. The recv of rank 0 is left as it is.
func (c *View) Exscan(send, recv Buffer, f Combine, by Reduction) error {
	return c.scan(opExscan, send, recv, f, by)
}

// scan is recursive doubling: before each step block is the combination of the
// ranks of the aligned block of bit ranks that this one is in, and prefix that
// of the ranks of the block up to this one, or before it.
func (c *View) scan(r routine, send, recv Buffer, f Combine, by Reduction) error {
	k, err := c.begin(r, send.Type)
	if err != nil {
		return err
	}
	k.require(k.reducing(send, recv, f))
	if !k.agree(0, send.Len(), by) {
		return k.end()
	}
	length := send.Len()
	s := newScratch(3 * length)
	defer s.free()
	block, incoming, spare := s.bytes[:length], s.bytes[length:2*length], s.bytes[2*length:]
	copy(block, send.Bytes())
	prefix, some := recv.Bytes(), r == opScan // the ranks before this one, and maybe itself
	if some {
		copy(prefix, send.Bytes())
	}
	for bit := 1; bit < c.group.size; bit *= 2 {
		partner := c.rank ^ bit
		if partner >= c.group.size {
			continue
		}
		k.exchange(partner, block, partner, incoming)
		if partner > c.rank {
			k.combine(f, block, incoming)
			continue
		}
		if some {
			copy(spare, incoming)
			k.combine(f, spare, prefix)
			copy(prefix, spare)
		} else {
			copy(prefix, incoming)
			some = true
		}
		k.combine(f, incoming, block)
		block, incoming = incoming, block
	}
	return k.end()
}
