package datatype

// BasicElements is how many basic elements the first size bytes of a message of type t hold (MPI_Get_elements). It is false
// if they end within one.
func (t *Type) BasicElements(size int64) (int64, bool) {
	if t.Size() == 0 {
		return 0, size == 0
	}
	whole, rest := size/t.Size(), size%t.Size()
	n, ok := t.list.count(rest)
	return whole*t.Elements() + n, ok
}

// count is the number of elements in the first size bytes of l.
func (l *list) count(size int64) (n int64, ok bool) {
	for _, p := range l.loops {
		elements := p.size
		if p.body == nil {
			elements /= kinds[p.kind].size
		} else {
			elements = p.body.elements
		}
		if all := p.count * p.size; size >= all {
			size -= all
			n += p.count * elements
			continue
		}
		n += size / p.size * elements
		size %= p.size
		if p.body == nil {
			each := kinds[p.kind].size
			return n + size/each, size%each == 0
		}
		rest, ok := p.body.count(size)
		return n + rest, ok
	}
	return n, size == 0
}
