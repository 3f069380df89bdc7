package record

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// ciphers returns the Ciphers of the two ends of an association.
func ciphers(t testing.TB, mode seal.Mode, perKey int) (a, b *Cipher) {
	secret := seal.NewSecret([]byte("the job's secret"), "test/1")
	p := seal.Parties{Initiator: seal.ID{1}, Responder: seal.ID{2}}
	h, message, err := secret.Initiate(p)
	require.NoError(t, err)
	answer, theirs, err := secret.Respond(p, message)
	require.NoError(t, err)
	ours, err := h.Finish(answer)
	require.NoError(t, err)
	terms := seal.Terms{From: p.Initiator, To: p.Responder, Mode: mode, Suite: seal.AES128GCM}
	return newCipher(ours, terms, perKey), newCipher(theirs, terms.Reversed(), perKey)
}

// wire is a socket that takes some messages of each call, and delivers what it has taken when the test says so.
type wire struct {
	socket.Endpoint
	takes  int
	events []socket.Event
}

var errFull = errors.New("the socket is full")

func (w *wire) Send(_ socket.AssocID, messages []socket.Message) (int, error) {
	n := min(len(messages), w.takes)
	for _, m := range messages[:n] {
		w.events = append(w.events, socket.Event{
			Kind: socket.Data, Stream: m.Stream, Begin: true, End: true, Payload: bytes.Join(m.Data, nil),
		})
	}
	if n < len(messages) {
		return n, errFull
	}
	return n, nil
}

// message is one in two pieces.
func message(stream socket.StreamID, text string) socket.Message {
	return socket.Message{Stream: stream, Data: [][]byte{[]byte(text[:len(text)/2]), []byte(text[len(text)/2:])}}
}

// record returns what the socket gets of a message.
func (w *wire) record(t testing.TB, c *Cipher, m socket.Message) socket.Event {
	w.takes, w.events = 1, nil
	_, err := c.Send(w, 1, []socket.Message{m})
	require.NoError(t, err)
	return w.events[0]
}

// Messages of a stream come in order, those of other streams overtake them, and the socket takes as many as it likes.
func TestMessagesComeAsTheyWereSent(t *testing.T) {
	for _, mode := range []seal.Mode{seal.Auth, seal.Encrypt} {
		random := rand.New(rand.NewPCG(1, uint64(mode)))
		a, b := ciphers(t, mode, 100) // so the keys change
		var w wire
		var queue []socket.Message
		sent, got := map[socket.StreamID]int{}, map[socket.StreamID]int{}
		for range 2000 {
			stream := socket.StreamID(random.IntN(5))
			queue = append(queue, message(stream, fmt.Sprintf("message %d of stream %d", sent[stream], stream)))
			sent[stream]++
			w.takes = random.IntN(4)
			n, err := a.Send(&w, 1, queue)
			require.True(t, err == nil || err == errFull)
			queue = queue[n:]
			for len(w.events) > 50 { // the first one of some stream comes
				i := random.IntN(len(w.events))
				for j := range i {
					if w.events[j].Stream == w.events[i].Stream {
						i = j
						break
					}
				}
				e := w.events[i]
				w.events = append(w.events[:i], w.events[i+1:]...)
				require.NoError(t, b.Open(&e))
				require.Equal(t, fmt.Sprintf("message %d of stream %d", got[e.Stream], e.Stream), string(e.Payload))
				got[e.Stream]++
			}
		}
	}
}

// What a host on the path can do to messages ends the association.
func TestWhatIsNotTheNextMessageIsRefused(t *testing.T) {
	var w wire
	for name, meddle := range map[string]func(next, after, other socket.Event) socket.Event{
		"one is left out":                 func(_, after, _ socket.Event) socket.Event { return after },
		"one on another stream":           func(next, _, _ socket.Event) socket.Event { next.Stream = 8; return next },
		"one of another stream":           func(_, _, other socket.Event) socket.Event { other.Stream = 7; return other },
		"one that is too short":           func(next, _, _ socket.Event) socket.Event { next.Payload = next.Payload[:Overhead-1]; return next },
		"one that is cut":                 func(next, _, _ socket.Event) socket.Event { next.Payload = next.Payload[:Overhead+1]; return next },
		"one out of order (U)":            func(next, _, _ socket.Event) socket.Event { next.Unordered = true; return next },
		"one that does not go on":         func(next, _, _ socket.Event) socket.Event { next.Broken = true; return next },
		"a part of one":                   func(next, _, _ socket.Event) socket.Event { next.End = false; return next },
		"one with the number of the next": func(_, after, _ socket.Event) socket.Event { after.Payload[7]--; return after },
		"one of a key to come":            func(next, _, _ socket.Event) socket.Event { next.Payload[3]++; return next },
		"one of a key that is gone":       func(next, _, _ socket.Event) socket.Event { next.Payload[3]--; return next },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := ciphers(t, seal.Encrypt, perKey)
			e := meddle(w.record(t, a, message(7, "next")), w.record(t, a, message(7, "after")), w.record(t, a, message(8, "other")))
			require.ErrorIs(t, b.Open(&e), ErrChanged)
		})
	}
	t.Run("one comes twice", func(t *testing.T) {
		a, b := ciphers(t, seal.Encrypt, perKey)
		e := w.record(t, a, message(7, "text"))
		again := e
		again.Payload = bytes.Clone(e.Payload)
		require.NoError(t, b.Open(&e))
		require.ErrorIs(t, b.Open(&again), ErrChanged)
	})
	t.Run("one comes back to its sender", func(t *testing.T) {
		a, _ := ciphers(t, seal.Encrypt, perKey)
		e := w.record(t, a, message(7, "text"))
		require.ErrorIs(t, a.Open(&e), ErrChanged)
	})
	t.Run("any bit is flipped", func(t *testing.T) {
		for _, mode := range []seal.Mode{seal.Auth, seal.Encrypt} {
			a, b := ciphers(t, mode, perKey)
			e := w.record(t, a, message(7, "text"))
			for bit := range 8 * len(e.Payload) {
				forged := e
				forged.Payload = bytes.Clone(e.Payload)
				forged.Payload[bit/8] ^= 1 << (bit % 8)
				require.ErrorIs(t, b.Open(&forged), ErrChanged, "bit %d", bit)
			}
		}
	})
}

// A message that the socket does not take, and that is sent later, has another nonce: no two records ever have the same.
func TestNoNonceIsUsedTwice(t *testing.T) {
	a, _ := ciphers(t, seal.Encrypt, perKey)
	full := &refuser{seen: make(map[string]bool)}
	for i := range 100 {
		full.takes = i%3 == 0
		_, _ = a.Send(full, 1, []socket.Message{message(1, "a"), message(2, "b")})
	}
	require.Len(t, full.seen, 200)
}

// A socket that is full again and again takes few of the records that are sealed for it. They count: no key seals many more than it may, and
// the peer opens what has been taken.
func TestRecordsThatAreRefusedSpendAKey(t *testing.T) {
	const perKey, offered = 10, 32
	a, b := ciphers(t, seal.Encrypt, perKey)
	var w wire
	messages := make([]socket.Message, offered)
	for i := range messages {
		messages[i] = message(socket.StreamID(i), "text")
	}
	keys := map[uint64]bool{}
	for i := range 1000 {
		w.takes, w.events = i%3, nil // nothing at all, one, two
		_, err := a.Send(&w, 1, messages)
		require.ErrorIs(t, err, errFull)
		require.Less(t, a.sealer.Sealed(), uint64(sealedPerKey*perKey+2*offered))
		keys[a.sending.Epoch()] = true
		for j := range w.events {
			require.NoError(t, b.Open(&w.events[j]))
			require.Equal(t, "text", string(w.events[j].Payload))
		}
	}
	require.Greater(t, len(keys), 200)
}

// refuser sees the nonces of all that it is offered.
type refuser struct {
	socket.Endpoint
	seen  map[string]bool
	takes bool
}

func (r *refuser) Send(_ socket.AssocID, messages []socket.Message) (int, error) {
	for _, m := range messages {
		r.seen[string(m.Data[0][8:headerSize])] = true
	}
	if r.takes {
		return 1, errFull
	}
	return 0, errFull
}

// Only with Encrypt the message cannot be read on the way.
func TestWhatCanBeRead(t *testing.T) {
	var w wire
	for _, mode := range []seal.Mode{seal.Auth, seal.Encrypt} {
		a, _ := ciphers(t, mode, perKey)
		e := w.record(t, a, message(1, "attack at dawn"))
		assert.Equal(t, mode == seal.Auth, bytes.Contains(e.Payload, []byte("attack at dawn")))
	}
}

func FuzzOpen(f *testing.F) {
	var w wire
	a, _ := ciphers(f, seal.Encrypt, perKey)
	f.Add(uint16(7), w.record(f, a, message(7, "text")).Payload)
	f.Fuzz(func(t *testing.T, stream uint16, payload []byte) {
		_, b := ciphers(t, seal.Encrypt, perKey)
		e := socket.Event{Kind: socket.Data, Stream: socket.StreamID(stream), Begin: true, End: true, Payload: payload}
		require.ErrorIs(t, b.Open(&e), ErrChanged) // its keys are fresh
	})
}

// discard is a socket that takes everything.
type discard struct{ socket.Endpoint }

func (discard) Send(_ socket.AssocID, messages []socket.Message) (int, error) {
	return len(messages), nil
}

func BenchmarkSend(b *testing.B) {
	for _, size := range []int{8, 64 << 10} {
		b.Run(fmt.Sprint(size, " bytes"), func(b *testing.B) {
			a, _ := ciphers(b, seal.Encrypt, perKey)
			messages := []socket.Message{{Stream: 1, Data: [][]byte{make([]byte, size)}}}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Send(discard{}, 1, messages); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
