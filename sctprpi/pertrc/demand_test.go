package pertrc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// flood sends messages of 32 KiB under many tags from rank 0 to rank 1, which receives none of them: each TRC that has a stream has
// more to send than it may leave unread.
func flood(ranks []*Transport, tags, each int) (sent []*rpi.Request) {
	body := make([]byte, 32<<10)
	for i := range tags * each {
		sent = append(sent, start(ranks[0], request(rpi.OpSend, 1, i%tags, body)))
	}
	return sent
}

// TestAReceiveGetsItsMessageBesideAFlood: unread messages of more TRCs than there are streams do not keep out one that a receive or
// probe waits for, nor do they take more memory than the limit.
func TestAReceiveGetsItsMessageBesideAFlood(t *testing.T) {
	const tags, each, limit = 600, 2, 512 << 10 // and 512 streams
	wanted := map[string]func(*testing.T, *Transport, int){
		"receives": func(*testing.T, *Transport, int) {},
		"probes": func(t *testing.T, tr *Transport, tag int) {
			require.EqualValues(t, tag, do(t, tr, request(rpi.OpProbe, 0, tag, nil)).Status.Tag)
		},
		"probes any source": func(t *testing.T, tr *Transport, tag int) {
			require.EqualValues(t, tag, do(t, tr, request(rpi.OpProbe, int(matching.AnySource), tag, nil)).Status.Tag)
		},
		"polls": func(t *testing.T, tr *Transport, tag int) {
			for found := false; !found; {
				var err error
				_, found, err = tr.Iprobe(0, 0, matching.Tag(tag))
				require.NoError(t, err)
			}
		},
	}
	for name, wait := range wanted {
		t.Run(name, func(t *testing.T) {
			ranks := openJob(t, 2, associations.Options{}, func(cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
			sent := flood(ranks, tags, each)
			for i := range 10 {
				s := start(ranks[0], request(rpi.OpSend, 1, 1000+i, text(i)))
				wait(t, ranks[1], 1000+i)
				require.Equal(t, text(i), do(t, ranks[1], request(rpi.OpRecv, 0, 1000+i, make([]byte, 4))).Buf)
				finish(t, s)
			}
			require.LessOrEqual(t, held(t, ranks[1]), limit)
			in := make([]byte, 32<<10)
			for tag := tags - 1; tag >= 0; tag-- { // those without a stream first
				for range each {
					do(t, ranks[1], request(rpi.OpRecv, 0, tag, in))
				}
			}
			for _, s := range sent {
				finish(t, s)
			}
		})
	}
}

// TestReceivesOfAnyTagBesideAFlood: they get the messages in the order in which they were sent, with and without a receive posted
// before each, however few streams there are. Receives that name a tag, and are posted later, have messages come that must wait for them.
func TestReceivesOfAnyTagBesideAFlood(t *testing.T) {
	for _, streams := range []int{1, 8, 16} {
		ranks := openJob(t, 2, associations.Options{Streams: streams}, nil)
		const tags, each = 40, 5
		var anyTag, byTag []*rpi.Request
		for range tags * each / 2 {
			anyTag = append(anyTag, start(ranks[1], receiveAny(0)))
		}
		for i := tags*each - 1; i >= tags*each/2; i-- {
			byTag = append(byTag, start(ranks[1], request(rpi.OpRecv, 0, i%tags, make([]byte, 32<<10))))
		}
		sent := flood(ranks, tags, each)
		for i, r := range anyTag {
			require.EqualValues(t, i%tags, finish(t, r).Status.Tag)
		}
		for _, r := range append(byTag, sent...) {
			finish(t, r)
		}
	}
}

// TestASendWithoutAStreamWaits for a receive, as one does that its TRC has no room for, and can be withdrawn.
func TestASendWithoutAStreamWaits(t *testing.T) {
	ranks := openJob(t, 2, few, nil)
	const held = 15 - 2
	for tag := range held {
		do(t, ranks[0], request(rpi.OpSend, 1, tag, text(tag)))
	}
	withdrawn := start(ranks[0], request(rpi.OpSend, 1, 98, text(98)))
	waits := start(ranks[0], request(rpi.OpSend, 1, 99, text(99)))
	ranks[0].Cancel(withdrawn)
	require.True(t, finish(t, withdrawn).Status.Cancelled)
	do(t, ranks[0], request(rpi.OpSend, 1, 3, text(33))) // its TRC has a stream
	require.False(t, waits.Completed())
	require.Equal(t, text(99), do(t, ranks[1], request(rpi.OpRecv, 0, 99, make([]byte, 4))).Buf)
	finish(t, waits)
	for tag := range held {
		require.Equal(t, text(tag), do(t, ranks[1], request(rpi.OpRecv, 0, tag, make([]byte, 4))).Buf)
	}
	require.Equal(t, text(33), do(t, ranks[1], receiveAny(0)).Buf[:4])
}

// TestWantsOfNothing: what a peer waits for may be under way, or never be sent. If no TRC waits for a stream it is told so.
func TestWantsOfNothing(t *testing.T) {
	v := victim(t)
	o := newMember(t, v, interleaving)
	for _, n := range []trc.Note{
		{Kind: trc.Want, Tag: 7}, {Kind: trc.Want, Tag: matching.AnyTag}, {Kind: trc.Want, ID: 99, Tag: -7}, {Kind: trc.Want, Context: rpi.InOrder},
	} {
		o.Say(0, note(n))
		var heard trc.Note
		require.NoError(t, heard.Parse(o.Hear()))
		require.Equal(t, trc.Note{Kind: trc.Ample}, heard)
	}
	o.Say(0, note(trc.Note{Kind: trc.Ample})) // twice is once
	o.Say(1, frame(0, 4))
	do(t, v, receiveAny(1))
}
