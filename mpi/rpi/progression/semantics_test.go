package progression

import (
	"encoding/binary"
	"errors"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var seedFlag = flag.Uint64("seed", 0, "replay the random history with this seed")

// history is what a program did, in the order in which it did it.
type history struct {
	t     *testing.T
	net   *network
	rng   *rand.Rand
	sends []*sent
	recvs []*received
	// looked counts messages that were received without a request.
	looked int
}

type sent struct {
	*rpi.Request
	from matching.Rank
}

type received struct {
	*rpi.Request
	at      matching.Rank
	pattern matching.Receive // context, source and tag as posted
	got     *sent
}

// TestSemantics plays random programs on a network whose streams overtake
// each other, and checks what MPI promises (MPI 4.1, section 3.5): messages
// that a receive could both match do not overtake, receives that match the
// same message take turns, every message is received once and whole, and
// every operation completes once.
func TestSemantics(t *testing.T) {
	if *seedFlag != 0 {
		play(t, *seedFlag)
		return
	}
	start, looked := rand.Uint64(), 0
	for i := range uint64(1500) {
		looked += play(t, start+i)
		if t.Failed() {
			t.Fatalf("replay with -seed %d", start+i)
		}
	}
	require.Greater(t, looked, 50, "messages that were received without a request")
}

// play returns how many messages were received without a request.
func play(t *testing.T, seed uint64) int {
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("seed %d: %v", seed, p)
		}
	}()
	// Some have credit for a message or two, some for none.
	cfg := rpi.Config{EagerLimit: 64, UnexpectedLimit: []int{3000, 1100, 300}[seed%3]}
	h := &history{t: t, net: newNetwork(seed, 3, cfg), rng: rand.New(rand.NewPCG(seed, 2))}
	for range 20 + h.rng.IntN(150) {
		switch h.rng.IntN(10) {
		case 0, 1, 2:
			h.send()
		case 3, 4, 5:
			h.receive(h.rng.IntN(4) == 0, h.rng.IntN(3) == 0)
		case 6:
			h.cancel()
		case 7:
			h.look()
		default:
			for range h.rng.IntN(6) {
				h.net.step()
			}
		}
	}
	h.finish()
	h.check(seed)
	return h.looked
}

// contexts is how many contexts a program uses. One of them has rpi.InOrder.
const contexts matching.Context = 3

func (h *history) context() matching.Context { return matching.Context(h.rng.IntN(int(contexts))) }

func (h *history) send() {
	h.sendTo(matching.Rank(h.rng.IntN(3)), matching.Rank(h.rng.IntN(3)), h.context(), matching.Tag(h.rng.IntN(3)))
}

func (h *history) sendTo(from, to matching.Rank, c matching.Context, tag matching.Tag) {
	n := []int{0, 8, 40, 64, 65, 300}[h.rng.IntN(6)]
	s := &sent{from: from, Request: &rpi.Request{
		Op: rpi.OpSend, Peer: to, Tag: tag, Context: c, Mode: rpi.Mode(h.rng.IntN(4)),
		Type: 1, Elem: 1, Buf: make([]byte, n),
	}}
	if n > 0 {
		for i := range s.Buf {
			s.Buf[i] = byte(len(h.sends) + i)
		}
		binary.BigEndian.PutUint32(s.Buf, uint32(len(h.sends)))
	}
	h.sends = append(h.sends, s)
	h.net.layers[s.from].Start(s.Request, h.rng.IntN(2) == 0)
	if errors.Is(s.Err, rpi.ErrBuffer) {
		h.sends = h.sends[:len(h.sends)-1] // refused: too many buffered sends
	}
}

func (h *history) receive(anySource, anyTag bool) {
	r := &received{at: matching.Rank(h.rng.IntN(3)), Request: &rpi.Request{
		Op: rpi.OpRecv, Peer: matching.Rank(h.rng.IntN(3)), Tag: matching.Tag(h.rng.IntN(3)),
		Context: h.context(), Type: 1, Elem: 1, Buf: make([]byte, 300),
	}}
	if anySource {
		r.Peer = matching.AnySource
	}
	if anyTag {
		r.Tag = matching.AnyTag
	}
	h.post(r)
}

func (h *history) post(r *received) {
	r.pattern = matching.Receive{Context: r.Context, Source: r.Peer, Tag: r.Tag}
	if h.rng.IntN(4) == 0 { // receive through a matched probe
		m, _, found, err := h.net.layers[r.at].Improbe(r.Context, r.Peer, r.Tag)
		if err != nil {
			panic(err)
		}
		if found {
			r.Message = m
		}
	}
	h.recvs = append(h.recvs, r)
	h.net.layers[r.at].Start(r.Request, false)
}

// look looks for a message without a request, and posts a receive if it has not come.
func (h *history) look() {
	r := &received{at: matching.Rank(h.rng.IntN(3)), Request: &rpi.Request{
		Op: rpi.OpRecv, Peer: matching.Rank(h.rng.IntN(3)), Tag: matching.Tag(h.rng.IntN(3)),
		Context: h.context(), Type: 1, Elem: 1, Buf: make([]byte, 300),
	}}
	l := h.net.layers[r.at]
	if !l.Want(rpi.Short{Context: r.Context, Peer: r.Peer, Tag: r.Tag, Type: r.Type, Elem: r.Elem, Buf: r.Buf}) {
		h.post(r)
		return
	}
	if h.rng.IntN(4) > 0 {
		h.sendTo(r.Peer, r.at, r.Context, r.Tag)
	}
	for range h.rng.IntN(40) {
		h.net.step()
	}
	if l.Unwant(); !l.wanted.Completed() {
		h.post(r)
		return
	}
	r.pattern = matching.Receive{Context: r.Context, Source: r.Peer, Tag: r.Tag}
	r.Status = l.wanted.Take()
	r.Complete(nil)
	h.recvs = append(h.recvs, r)
	h.looked++
}

func (h *history) cancel() {
	if len(h.sends) > 0 && h.rng.IntN(2) == 0 {
		s := h.sends[h.rng.IntN(len(h.sends))]
		h.net.layers[s.from].Cancel(s.Request)
	} else if len(h.recvs) > 0 {
		r := h.recvs[h.rng.IntN(len(h.recvs))]
		h.net.layers[r.at].Cancel(r.Request)
	}
}

// finish lets everything arrive, receives what is left, and cancels the
// receives that get nothing.
func (h *history) finish() {
	for h.net.step() {
	}
	h.requireNobodyStarves()
	for at := range h.net.layers {
		for c := range contexts {
			for {
				_, found, _ := h.net.layers[at].Iprobe(c, matching.AnySource, matching.AnyTag)
				if !found { // yet: the probe may have demanded it
					for h.net.step() {
					}
					_, found, _ = h.net.layers[at].Iprobe(c, matching.AnySource, matching.AnyTag)
				}
				if !found {
					break
				}
				h.post(&received{at: matching.Rank(at), Request: &rpi.Request{
					Op: rpi.OpRecv, Peer: matching.AnySource, Tag: matching.AnyTag, Context: c,
					Type: 1, Elem: 1, Buf: make([]byte, 300),
				}})
				for h.net.step() {
				}
			}
		}
	}
	for _, r := range h.recvs {
		h.net.layers[r.at].Cancel(r.Request)
	}
	for h.net.step() {
	}
}

// requireNobodyStarves checks that no send waits for credit while a receive waits for it, when
// nothing is under way.
func (h *history) requireNobodyStarves() {
	for i, s := range h.sends {
		if _, waits := s.Transport.Pending.(*held); !waits {
			continue
		}
		for j, r := range h.recvs {
			require.False(h.t, !r.Completed() && h.fits(r, s), "receive %d waits for send %d, which is held", j, i)
		}
	}
}

func (h *history) check(seed uint64) {
	t := h.t
	taker := make(map[*sent]int) // index of the receive that got it
	empty := make(map[*sent]bool)
	for i, r := range h.recvs {
		require.True(t, r.Completed(), "seed %d: receive %d never completed", seed, i)
		require.NoError(t, r.Err, "seed %d", seed)
		if r.Status.Cancelled {
			continue
		}
		if r.Status.Length == 0 {
			// Empty messages carry no number. The first that fits is as good
			// as any, as they are all alike and in order.
			for _, s := range h.sends {
				if len(s.Buf) == 0 && !s.Status.Cancelled && !empty[s] && s.from == r.Status.Source &&
					s.Peer == r.at && s.Context == r.Context && s.Tag == r.Status.Tag {
					r.got, empty[s] = s, true
					break
				}
			}
			require.NotNil(t, r.got, "seed %d: receive %d got an empty message that was not sent", seed, i)
		} else {
			r.got = h.sends[binary.BigEndian.Uint32(r.Buf)]
			require.Equal(t, r.got.Buf, r.Buf[:r.Status.Length], "seed %d: receive %d got a damaged message", seed, i)
		}
		_, twice := taker[r.got]
		require.False(t, twice, "seed %d: a message was received twice", seed)
		require.True(t, h.fits(r, r.got), "seed %d: receive %d got a message for another", seed, i)
		taker[r.got] = i
	}
	for i, s := range h.sends {
		require.True(t, s.Completed(), "seed %d: send %d never completed", seed, i)
		require.NoError(t, s.Err, "seed %d: send %d", seed, i)
		_, got := taker[s]
		require.NotEqual(t, s.Status.Cancelled, got, "seed %d: send %d, cancelled %v, received %v", seed, i, s.Status.Cancelled, got)
	}
	h.checkOrder(seed, taker)
	for rank, l := range h.net.layers {
		posted, unexpected := l.Match.Depth()
		require.Zero(t, posted+unexpected, "seed %d: rank %d keeps something", seed, rank)
		require.Zero(t, l.Requests.Len(), "seed %d: rank %d keeps names", seed, rank)
		require.Zero(t, l.Held, "seed %d: rank %d keeps buffers", seed, rank)
		for _, p := range l.peers {
			require.Zero(t, p.backlog.count, "seed %d: rank %d keeps sends", seed, rank)
			require.Empty(t, p.demands, "seed %d: rank %d keeps demands", seed, rank)
			require.Zero(t, p.used, "seed %d: rank %d keeps credit", seed, rank)
		}
		require.LessOrEqual(t, h.net.peak[rank], l.share, "seed %d", seed)
	}
}

func (h *history) fits(r *received, s *sent) bool {
	p := r.pattern
	return s.Peer == r.at && s.Context == p.Context &&
		(p.Source == matching.AnySource || p.Source == s.from) && (p.Tag == matching.AnyTag || p.Tag == s.Tag)
}

// checkOrder checks the non-overtaking rule for every pair of messages, and
// of receives.
func (h *history) checkOrder(seed uint64, taker map[*sent]int) {
	for bi, b := range h.sends {
		rb, got := taker[b]
		if !got {
			continue
		}
		for ai, a := range h.sends[:bi] {
			ra, got := taker[a]
			if got && a.from == b.from && a.Peer == b.Peer && a.Context == b.Context && h.fits(h.recvs[rb], a) {
				require.Less(h.t, ra, rb, "seed %d: message %d overtook message %d", seed, bi, ai)
			}
		}
	}
	for ri, r := range h.recvs {
		for qi, q := range h.recvs[:ri] {
			// q was posted before r, could take what r got, and did not: then
			// it must have got something else that it was entitled to first.
			if r.got == nil || q.got == nil || q.at != r.at || !h.fits(q, r.got) || q.got.from != r.got.from {
				continue
			}
			if h.fits(r, q.got) {
				require.Less(h.t, h.number(q.got), h.number(r.got), "seed %d: receive %d overtook receive %d", seed, ri, qi)
			}
		}
	}
}

func (h *history) number(s *sent) int {
	for i := range h.sends {
		if h.sends[i] == s {
			return i
		}
	}
	return -1
}
