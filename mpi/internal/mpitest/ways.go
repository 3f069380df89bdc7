package mpitest

import (
	"context"
	"runtime"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// ways is a multiple of the numbers of ways to complete requests and to pause.
const ways = 24

// Ways to send.
const (
	waitSend = iota
	waitSyncSend
	waitBufferedSend
	waitReadySend
	beginSend
	beginSyncSend
	beginBufferedSend
	beginReadySend
)

// starts reports whether a step starts an operation that another step completes.
func starts(s *step) bool {
	if s.verb == doSend {
		return s.way >= beginSend
	}
	return s.way == beginReceive || s.way == beginMatched
}

// sendBy sends, in one of the ways; the request is nil if that is complete.
func sendBy(c *mpi.Comm, way int, b []byte, dest, tag int) (*mpi.Request, error) {
	switch way {
	case waitSend:
		return nil, mpi.Send(c, b, dest, tag)
	case waitSyncSend:
		return nil, mpi.Ssend(c, b, dest, tag)
	case waitBufferedSend:
		return nil, mpi.Bsend(c, b, dest, tag)
	case waitReadySend:
		return nil, mpi.Rsend(c, b, dest, tag)
	case beginSend:
		return mpi.Isend(c, b, dest, tag)
	case beginSyncSend:
		return mpi.Issend(c, b, dest, tag)
	case beginBufferedSend:
		return mpi.Ibsend(c, b, dest, tag)
	}
	return mpi.Irsend(c, b, dest, tag)
}

// Ways to receive.
const (
	beginReceive = iota
	beginMatched // by a request too
	waitReceive
	waitProbe
	waitMprobe
	loopProbe
	loopMprobe
	waitSlice
	receiveWays
)

// receiveBy receives, in one of the ways; the request is nil if that is complete. The
// buffer returned is where the message is.
func receiveBy(c *mpi.Comm, way int, buf []byte, source, tag int) (b []byte, r *mpi.Request, s mpi.Status, err error) {
	var m *mpi.Message
	switch way {
	case beginReceive:
		r, err = mpi.Irecv(c, buf, source, tag)
		return buf, r, s, err
	case waitReceive:
		s, err = mpi.Recv(c, buf, source, tag)
		return buf, nil, s, err
	case waitSlice:
		b, s, err = mpi.RecvSlice[byte](c, source, tag)
		return b, nil, s, err
	case waitProbe, loopProbe:
		if s, err = probeBy(c, way, source, tag); err == nil {
			buf = make([]byte, s.Count)
			s, err = mpi.Recv(c, buf, s.Source, s.Tag)
		}
		return buf, nil, s, err
	case loopMprobe:
		for err == nil && m == nil {
			m, s, _, err = c.Improbe(source, tag)
		}
	default:
		m, s, err = c.Mprobe(source, tag)
	}
	if err != nil {
		return nil, nil, s, err
	}
	buf = make([]byte, s.Count)
	if way == beginMatched {
		r, err = mpi.Imrecv(m, buf)
	} else {
		s, err = mpi.Mrecv(m, buf)
	}
	return buf, r, s, err
}

func probeBy(c *mpi.Comm, way, source, tag int) (s mpi.Status, err error) {
	if way == waitProbe {
		return c.Probe(source, tag)
	}
	for found := false; err == nil && !found; {
		s, found, err = c.Iprobe(source, tag)
	}
	return s, err
}

// completeBy waits for a request, in one of the ways.
func completeBy(way int, r *mpi.Request) (s mpi.Status, err error) {
	switch done := false; way % 4 {
	case 0:
		return r.Wait(context.Background())
	case 1:
		for err == nil && !done {
			s, done, err = r.Test()
		}
	case 2:
		for err == nil && !done {
			s, done, err = r.Test()
			runtime.Gosched()
		}
	default:
		_, s, err = mpi.WaitAny(context.Background(), r)
	}
	return s, err
}

// completeAllBy waits for all requests, in one of the ways.
func completeAllBy(way int, reqs []*mpi.Request) ([]mpi.Status, error) {
	some := func(wait func(reqs ...*mpi.Request) ([]int, []mpi.Status, error)) ([]mpi.Status, error) {
		all := make([]mpi.Status, len(reqs))
		for left := len(reqs); left > 0; {
			indices, statuses, err := wait(reqs...)
			if err != nil {
				return nil, err
			}
			for i, index := range indices {
				all[index] = statuses[i]
			}
			left -= len(indices)
		}
		return all, nil
	}
	switch way % 6 {
	case 0:
		return mpi.WaitAll(context.Background(), reqs...)
	case 1:
		for {
			if all, done, err := mpi.TestAll(reqs...); done || err != nil {
				return all, err
			}
		}
	case 2:
		return some(func(reqs ...*mpi.Request) ([]int, []mpi.Status, error) {
			return mpi.WaitSome(context.Background(), reqs...)
		})
	case 3:
		return some(mpi.TestSome)
	case 4:
		return some(func(reqs ...*mpi.Request) ([]int, []mpi.Status, error) {
			i, s, err := mpi.WaitAny(context.Background(), reqs...)
			return []int{i}, []mpi.Status{s}, err
		})
	}
	return some(func(reqs ...*mpi.Request) ([]int, []mpi.Status, error) {
		for {
			i, s, found, err := mpi.TestAny(reqs...)
			if found || err != nil {
				return []int{i}, []mpi.Status{s}, err
			}
		}
	})
}

// seen has the messages that a rank has received from each other rank, in order.
type seen map[int][]int

// add adds a message, and reports whether it came behind those sent before it.
func (s seen) add(source, id int) (inOrder bool) {
	inOrder = len(s[source]) == 0 || s[source][len(s[source])-1] < id
	s[source] = append(s[source], id)
	return inOrder
}

// ids are all of them, sorted.
func (s seen) ids() (all []int) {
	for _, ids := range s {
		all = append(all, ids...)
	}
	slices.Sort(all)
	return all
}
