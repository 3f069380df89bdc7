package matching

import "math/rand/v2"

// key is a pattern of receives: each part may be a wildcard, but the context.
type key struct {
	context Context
	source  Rank
	tag     Tag
}

// shape says which parts of a key are wildcards.
type shape uint8

const (
	exact     shape = 0
	anySource shape = 1 << 0
	anyTag    shape = 1 << 1
	anyBoth         = anySource | anyTag
	shapes          = anyBoth + 1
)

func (k key) shape() (s shape) {
	if k.source == AnySource {
		s |= anySource
	}
	if k.tag == AnyTag {
		s |= anyTag
	}
	return s
}

// node is what is kept for one key: the receives posted with exactly that
// pattern, and the unexpected messages that the pattern covers.
type node struct {
	key    key
	chain  *node // in the bucket, or on the free list
	posted receiveList

	// unexpected: of an exact key, by sequence number; of (context, any, tag),
	// by arrival; of (context, any, any), the ready ones in the order in which
	// they became so. A (context, source, any) node has them in sequence.
	unexpected messageList

	// held, of a (context, any, any) node, are the unexpected messages that
	// follow a gap, by arrival.
	held messageList

	// sequence and context are of a (context, source, any) node: what has
	// arrived from the source, and the node of the whole context. Such nodes
	// and those of contexts stay until their context is released.
	sequence sequence
	context  *node
}

// table finds nodes by key. Its cost does not depend on their number.
type table struct {
	buckets []*node
	seed    uint64
	count   int
	free    *node
}

const initialBuckets = 64

func (t *table) bucket(k key) *node {
	return t.buckets[t.index(k)]
}

func (t *table) index(k key) uint64 {
	h := uint64(k.context) ^ t.seed
	h *= 0x9e3779b97f4a7c15
	h ^= h>>29 ^ uint64(uint32(k.source))<<32 ^ uint64(uint32(k.tag))
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	h *= 0x94d049bb133111eb
	return h >> 32 & uint64(len(t.buckets)-1)
}

// find returns the node of k, nil if there is none.
func (t *table) find(k key) *node {
	if t.buckets == nil {
		return nil
	}
	n := t.bucket(k)
	for n != nil && n.key != k {
		n = n.chain
	}
	return n
}

// get returns the node of k and makes it if there is none.
func (t *table) get(k key) *node {
	if n := t.find(k); n != nil {
		return n
	}
	if t.count >= len(t.buckets) {
		t.grow()
	}
	n := t.free
	if n == nil {
		n = new(node)
	} else {
		t.free = n.chain
	}
	n.key = k
	b := &t.buckets[t.index(k)]
	n.chain, *b = *b, n
	t.count++
	return n
}

func (t *table) grow() {
	old := t.buckets
	if old == nil {
		t.seed = rand.Uint64()
	}
	t.buckets = make([]*node, max(initialBuckets, 2*len(old)))
	for _, n := range old {
		for n != nil {
			next := n.chain
			b := &t.buckets[t.index(n.key)]
			n.chain, *b = *b, n
			n = next
		}
	}
}

// drop removes a node. It must be in the table.
func (t *table) drop(n *node) {
	p := &t.buckets[t.index(n.key)]
	for *p != n {
		p = &(*p).chain
	}
	*p = n.chain
	clear(n.sequence.memory)
	*n = node{chain: t.free, sequence: sequence{memory: n.sequence.memory[:0]}}
	t.free = n
	t.count--
}

// tidy drops a node for messages of a tag once nothing is left in it.
func (t *table) tidy(n *node) {
	if n.key.tag != AnyTag && n.posted.head == nil && n.unexpected.head == nil {
		t.drop(n)
	}
}

// each calls f for all nodes.
func (t *table) each(f func(*node)) {
	for _, n := range t.buckets {
		for n != nil {
			next := n.chain // f may drop n
			f(n)
			n = next
		}
	}
}
