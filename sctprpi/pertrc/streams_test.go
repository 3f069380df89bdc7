package pertrc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// few streams: one for notes, the others for messages.
var few = associations.Options{Streams: 16}

// TestFewStreamsManyTags: streams are given on, and every message comes.
func TestFewStreamsManyTags(t *testing.T) {
	ranks := openJob(t, 2, few, nil)
	const tags, rounds = 300, 3
	var received, sent []*rpi.Request
	for i := range tags * rounds {
		received = append(received, start(ranks[1], request(rpi.OpRecv, 0, i%tags, make([]byte, 4))))
	}
	for i := range tags * rounds {
		sent = append(sent, start(ranks[0], request(rpi.OpSend, 1, i%tags, text(i))))
	}
	for i := range received {
		finish(t, sent[i])
		require.Equal(t, text(i), finish(t, received[i]).Buf)
	}
	requireStreams(t, ranks[0], 15)
}

// requireStreams checks that a rank has not used more streams to rank 1.
func requireStreams(t *testing.T, tr *Transport, most int) {
	t.Helper()
	tr.lock.Lock()
	defer tr.lock.Unlock()
	p := tr.peers[1]
	assert.LessOrEqual(t, p.next, most+1)
	assert.LessOrEqual(t, len(p.trcs.Out), most)
}

// TestMoreTagsThanStreams: a program may use more tags than SCTP has streams.
func TestMoreTagsThanStreams(t *testing.T) {
	ranks := openJob(t, 2, associations.Options{}, nil)
	tags, window := count(67_000, 200_000), 1000
	in, out := make([]*rpi.Request, window), make([]*rpi.Request, window)
	for first := 0; first < tags; first += window {
		for i := range window {
			in[i] = start(ranks[1], request(rpi.OpRecv, 0, first+i, make([]byte, 4)))
			out[i] = start(ranks[0], request(rpi.OpSend, 1, first+i, text(first+i)))
		}
		for i := range window {
			finish(t, out[i])
			if !assert.Equal(t, text(first+i), finish(t, in[i]).Buf) {
				return
			}
		}
	}
	requireStreams(t, ranks[0], mostStreams-1)
	ranks[1].lock.Lock()
	defer ranks[1].lock.Unlock()
	p := ranks[1].peers[0]
	assert.Less(t, len(p.in), mostStreams, "streams that it knows")
	assert.Less(t, len(p.trcs.In), mostStreams, "TRCs that it knows")
}

// TestOrderOnStreamsGivenOn: messages of a TRC keep their order while its stream is given on and it takes another. There
// are more TRCs than streams, and which come next is chance, so that messages overtake many questions.
func TestOrderOnStreamsGivenOn(t *testing.T) {
	ranks := openJob(t, 2, few, nil)
	random := rand.New(rand.NewPCG(1, 2))
	const tags, window = 40, 100
	body := make([]byte, 20<<10)
	for round := range count(100, 5000) {
		var in, out [window]*rpi.Request
		for i := range window {
			tag, n := random.IntN(tags), 4
			if random.IntN(10) == 0 {
				n = len(body) // a zero-copy send
			}
			out[i] = start(ranks[0], request(rpi.OpSend, 1, tag, append(text(round*window+i), body[4:n]...)))
		}
		for i := range window {
			in[i] = start(ranks[1], request(rpi.OpRecv, 0, int(out[i].Tag), make([]byte, len(body))))
		}
		for i := range window {
			require.Equal(t, text(round*window+i), finish(t, in[i]).Buf[:4])
			finish(t, out[i])
		}
	}
	requireStreams(t, ranks[0], 15)
}

// TestEmptyMessageOnAStreamGivenOn: its stream is on hold until it is received, and then is another TRC's.
func TestEmptyMessageOnAStreamGivenOn(t *testing.T) {
	ranks := openJob(t, 2, few, nil)
	const held = 15 - 2 // two are in reserve
	for tag := range held {
		do(t, ranks[0], request(rpi.OpSend, 1, tag, nil))
		do(t, ranks[1], request(rpi.OpProbe, 0, tag, nil))
	}
	waits := start(ranks[0], request(rpi.OpSend, 1, 99, text(99)))
	asked := request(rpi.OpSend, 0, 1, nil) // its acknowledgement comes behind the question
	asked.Mode = rpi.Synchronous
	start(ranks[1], asked)
	do(t, ranks[0], request(rpi.OpRecv, 1, 1, nil))
	finish(t, asked)
	for tag := range held {
		do(t, ranks[1], request(rpi.OpRecv, 0, tag, nil))
	}
	finish(t, waits)
	require.Equal(t, text(99), do(t, ranks[1], request(rpi.OpRecv, 0, 99, make([]byte, 4))).Buf)
}

// TestAnyTagWithMoreTagsThanStreams: later messages have all streams while one that was sent before waits for a stream,
// and must be received before them.
func TestAnyTagWithMoreTagsThanStreams(t *testing.T) {
	for name, receive := range map[string]func(tr *Transport, source int) *rpi.Request{
		"receives": func(tr *Transport, source int) *rpi.Request {
			return start(tr, request(rpi.OpRecv, source, int(matching.AnyTag), make([]byte, 1000)))
		},
		"probes": func(tr *Transport, source int) *rpi.Request {
			s := do(t, tr, request(rpi.OpProbe, source, int(matching.AnyTag), nil)).Status
			return start(tr, request(rpi.OpRecv, int(s.Source), int(s.Tag), make([]byte, 1000)))
		},
		"polls": func(tr *Transport, source int) *rpi.Request {
			for {
				s, found, err := tr.Iprobe(0, matching.Rank(source), matching.AnyTag)
				require.NoError(t, err)
				if found {
					return start(tr, request(rpi.OpRecv, int(s.Source), int(s.Tag), make([]byte, 1000)))
				}
			}
		},
	} {
		for _, source := range []int{0, int(matching.AnySource)} {
			t.Run(fmt.Sprintf("%s, source %d", name, source), func(t *testing.T) {
				ranks := openJob(t, 2, few, nil)
				const tags, messages = 100, 1000
				var out []*rpi.Request
				for i := range messages {
					out = append(out, start(ranks[0], request(rpi.OpSend, 1, i%tags, append(text(i), make([]byte, i%900)...))))
				}
				for i := range messages {
					require.Equal(t, text(i), finish(t, receive(ranks[1], source)).Buf[:4])
				}
				for _, r := range out {
					finish(t, r)
				}
			})
		}
	}
}

// TestManyCollectivesOnFewStreams: those under way at one time have a stream each, which is given on afterwards.
func TestManyCollectivesOnFewStreams(t *testing.T) {
	ranks := openJob(t, 2, few, nil)
	const underWay = collectiveSlots + 4
	in, out := make([]byte, 64<<10), make([]byte, 64<<10)
	for round := range 20 {
		var sends []*rpi.Request
		for i := range underWay {
			s := request(rpi.OpSend, 1, round*underWay+i, out)
			s.Context, s.OpenTags = rpi.InOrder, matching.Tag(i)
			sends = append(sends, start(ranks[0], s))
		}
		for _, s := range slices.Backward(sends) {
			r := request(rpi.OpRecv, 0, int(s.Tag), in)
			r.Context = rpi.InOrder
			do(t, ranks[1], r)
			finish(t, s)
		}
	}
	requireStreams(t, ranks[0], 15)
}
