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

// ElementBytes is how many bytes the first n basic elements of a message of type t take (MPI_Status_set_elements). It is false if t
// has none, or they are more than 64 bits can count.
func (t *Type) ElementBytes(n int64) (int64, bool) {
	if t.Elements() == 0 || n < 0 {
		return 0, n == 0
	}
	whole, ok := multiply(n/t.Elements(), t.Size())
	rest := t.list.bytes(n % t.Elements())
	return whole + rest, ok && whole+rest >= 0
}

// bytes is the size of the first n elements of l, which has more.
func (l *list) bytes(n int64) (size int64) {
	for _, p := range l.loops {
		each := p.size
		if p.body == nil {
			each /= kinds[p.kind].size
		} else {
			each = p.body.elements
		}
		if all := p.count * each; n >= all {
			n -= all
			size += p.count * p.size
			continue
		}
		size += n / each * p.size
		if n %= each; p.body == nil {
			return size + n*kinds[p.kind].size
		}
		return size + p.body.bytes(n)
	}
	return size
}
