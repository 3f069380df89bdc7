package datatype

import "math/bits"

// sequence is what identifies a sequence of kinds, however long: its length and a polynomial hash, by which the hashes of
// sequences that are joined or repeated can be computed.
type sequence struct {
	elements, bytes int64
	hash, power     uint64 // modulo prime; power is base to the number of elements
}

const (
	prime = 1<<61 - 1
	base  = 0x1b873593cc9e2d51 % prime
)

var empty = sequence{power: 1}

func mulmod(x, y uint64) uint64 {
	high, low := bits.Mul64(x, y)
	sum := (low & prime) + (low>>61 | high<<3)
	if sum >= prime {
		sum -= prime
	}
	return sum
}

func (s sequence) join(t sequence) sequence {
	return sequence{s.elements + t.elements, s.bytes + t.bytes, (mulmod(s.hash, t.power) + t.hash) % prime, mulmod(s.power, t.power)}
}

func (s sequence) repeat(n int64) sequence {
	all := empty
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			all = all.join(s)
		}
		s = s.join(s)
	}
	return all
}

// item repeats one kind or a list of items.
type item struct {
	kind     Kind // if sub is nil
	sub      []item
	count    int64
	one, all sequence
}

func (i item) times(n int64) item {
	i.count, i.all = n, i.one.repeat(n)
	return i
}

func element(k Kind) item {
	one := sequence{1, kinds[k].size, uint64(k.matching()), base}
	return item{kind: k.matching(), count: 1, one: one, all: one}
}

// pattern is the kinds of a type: the shortest sequence that gives them by being repeated, and how often.
type pattern struct {
	root  []item
	one   sequence
	count int64
}

// patternOf is the pattern of a list. Lists that are in several places are done once.
func patternOf(l *list, done map[*list]pattern) pattern {
	if p, ok := done[l]; ok {
		return p
	}
	var items []item
	for _, p := range l.loops {
		if p.body == nil {
			items = push(items, element(p.kind).times(p.size/kinds[p.kind].size*p.count))
		} else {
			items = patternOf(p.body, done).appendTo(items, p.count)
		}
	}
	p := primitive(items)
	done[l] = p
	return p
}

// appendTo appends n times what p stands for.
func (p pattern) appendTo(items []item, n int64) []item {
	n *= p.count
	switch {
	case n == 0:
	case len(p.root) == 1:
		items = push(items, p.root[0].times(n))
	case n == 1:
		for _, i := range p.root {
			items = push(items, i)
		}
	default:
		items = push(items, item{sub: p.root, one: p.one}.times(n))
	}
	return items
}

// push appends i, or makes the last item longer.
func push(items []item, i item) []item {
	if n := len(items); n > 0 && items[n-1].one == i.one {
		items[n-1] = items[n-1].times(items[n-1].count + i.count)
		return items
	}
	return append(items, i)
}

func join(items []item) sequence {
	all := empty
	for _, i := range items {
		all = all.join(i.all)
	}
	return all
}

// primitive finds the shortest sequence that gives items by being repeated.
//
// How often can that be? Let the longest item have length elements and repeat a word of p, itself primitive. If length is
// that of the sequence looked for and p together, or more, the two are equally long (the theorem of Fine and Wilf). If not, the
// sequence is longer than length-p: it is there less often than all elements divided by that. That is at most twice for each
// item; and where the longest item is one element there are not more elements than items.
func primitive(items []item) pattern {
	switch {
	case len(items) == 0:
		return pattern{one: empty}
	case len(items) == 1 && items[0].sub == nil:
		return pattern{[]item{items[0].times(1)}, items[0].one, items[0].count}
	case len(items) == 1:
		return pattern{items[0].sub, items[0].one, items[0].count}
	}
	all, longest := join(items), items[0]
	for _, i := range items {
		if i.all.elements > longest.all.elements {
			longest = i
		}
	}
	most := int64(1)
	try := func(n int64) {
		if n <= most || all.elements%n != 0 || all.bytes%n != 0 {
			return
		}
		if one, ok := prefix(items, all.bytes/n); ok && one.repeat(n) == all {
			most = n
		}
	}
	limit := all.elements
	if more := longest.all.elements - longest.one.elements; more > 0 {
		limit /= more
	}
	for n := int64(2); n <= limit; n++ {
		try(n)
	}
	try(all.elements / longest.one.elements)
	if most == 1 {
		return pattern{items, all, 1}
	}
	root := take(nil, items, all.bytes/most)
	return pattern{root, join(root), most}
}

// prefix is the sequence of the first size bytes. It is false if they end within an element.
func prefix(items []item, size int64) (sequence, bool) {
	s := empty
	for _, i := range items {
		if i.all.bytes <= size {
			s = s.join(i.all)
			size -= i.all.bytes
			continue
		}
		s = s.join(i.one.repeat(size / i.one.bytes))
		if size %= i.one.bytes; size == 0 || i.sub == nil {
			return s, size == 0
		}
		rest, ok := prefix(i.sub, size)
		return s.join(rest), ok
	}
	return s, size == 0
}

// take appends the items of the first size bytes, which do not end within an element.
func take(to, items []item, size int64) []item {
	for _, i := range items {
		if i.all.bytes <= size {
			to = push(to, i)
			size -= i.all.bytes
			continue
		}
		switch n := size / i.one.bytes; {
		case n == 1 && i.sub != nil:
			to = take(to, i.sub, i.one.bytes)
		case n > 0:
			to = push(to, i.times(n))
		}
		return take(to, i.sub, size%i.one.bytes)
	}
	return to
}
