package matching

import (
	"math/bits"
	"math/rand/v2"
)

// key is a pattern: source and tag may be wildcards.
type key struct {
	context Context
	source  Rank
	tag     Tag
}

// table finds queues by their keys, at a cost that does not depend on their
// number. Its hash is seeded, so that a peer cannot choose tags that collide. It
// never shrinks: it has at most twice as many buckets as there were queues at one
// time.
type table struct {
	buckets []*queue
	seed    [2]uint64
	count   int
	spare   *queue
}

const minBuckets = 64

// bucket returns where the chain of k begins. There must be buckets.
func (t *table) bucket(k key) **queue {
	hi, lo := bits.Mul64(
		uint64(k.context)^t.seed[0],
		(uint64(uint32(k.source))<<32|uint64(uint32(k.tag)))^t.seed[1])
	return &t.buckets[(hi^lo)&uint64(len(t.buckets)-1)]
}

// find returns the queue of k, nil if there is none.
func (t *table) find(k key) *queue {
	if len(t.buckets) == 0 {
		return nil
	}
	q := *t.bucket(k)
	for q != nil && q.key != k {
		q = q.chain
	}
	return q
}

// open adds a queue for k, which must have none.
func (t *table) open(k key, src *source) *queue {
	q := t.spare
	if q == nil {
		q = new(queue)
	} else {
		t.spare = q.chain
	}
	q.key, q.source = k, src
	t.insert(q)
	return q
}

// close puts an empty queue that open returned among the spare ones.
func (t *table) close(q *queue) {
	t.remove(q)
	*q = queue{chain: t.spare}
	t.spare = q
}

func (t *table) insert(q *queue) {
	if t.count == len(t.buckets) {
		t.grow()
	}
	b := t.bucket(q.key)
	q.chain, *b = *b, q
	t.count++
	q.source.context.queues.add(q)
}

func (t *table) remove(q *queue) {
	b := t.bucket(q.key)
	for *b != q {
		b = &(*b).chain
	}
	*b, q.chain = q.chain, nil
	t.count--
	q.source.context.queues.remove(q)
}

func (t *table) grow() {
	old := t.buckets
	if len(old) == 0 {
		t.seed = [2]uint64{rand.Uint64(), rand.Uint64()}
	}
	t.buckets = make([]*queue, max(minBuckets, 2*len(old)))
	for _, q := range old {
		for q != nil {
			next := q.chain
			b := t.bucket(q.key)
			q.chain, *b = *b, q
			q = next
		}
	}
}

// all yields every queue. The caller may remove the queue that it has got.
func (t *table) all(yield func(*queue) bool) {
	for _, q := range t.buckets {
		for q != nil {
			next := q.chain
			if !yield(q) {
				return
			}
			q = next
		}
	}
}
