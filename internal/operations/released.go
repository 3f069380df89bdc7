package operations

import "github.com/sctpmpi/sctpmpi/matching"

// maxReleased bounds the contexts that a process remembers to have released: those of the last thousand communicators.
const maxReleased = 4096

// released are the last contexts that have been released. Messages in them may still come: what one rank asks another about an
// operation that takes long may arrive when the operation is over, since channels do not wait for each other. No receive
// will take them.
type released struct {
	contexts map[matching.Context]struct{}
	order    []matching.Context // a ring
	oldest   int
}

func (r *released) add(c matching.Context) {
	if r.has(c) {
		return
	}
	if r.contexts == nil {
		r.contexts = make(map[matching.Context]struct{})
	}
	r.contexts[c] = struct{}{}
	if len(r.order) < maxReleased {
		r.order = append(r.order, c)
		return
	}
	delete(r.contexts, r.order[r.oldest])
	r.order[r.oldest] = c
	r.oldest = (r.oldest + 1) % maxReleased
}

func (r *released) has(c matching.Context) bool {
	_, ok := r.contexts[c]
	return ok
}
