// Package freelist keeps values for reuse, so that the hot path does not allocate.
package freelist

// List holds values that are not in use, the last one put in on top. The zero List is
// empty. It is not safe for concurrent use.
type List[T any] struct{ values []*T }

// Get takes a value out of the list, and returns nil if there is none.
func (l *List[T]) Get() *T {
	last := len(l.values) - 1
	if last < 0 {
		return nil
	}
	v := l.values[last]
	l.values[last] = nil
	l.values = l.values[:last]
	return v
}

// Take is Get, but makes a value if there is none.
func (l *List[T]) Take() *T {
	if v := l.Get(); v != nil {
		return v
	}
	return new(T)
}

// Put keeps a value unless the list has limit values already, and reports whether it did.
func (l *List[T]) Put(v *T, limit int) bool {
	if len(l.values) >= limit {
		return false
	}
	l.values = append(l.values, v)
	return true
}
