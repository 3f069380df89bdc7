package record

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// ciphers returns the Ciphers of the two ends of a connection, that of the dialer first.
func ciphers(t testing.TB, mode seal.Mode, perKey int) (dialer, acceptor *Cipher) {
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

// pair returns two connected descriptors.
func pair(t testing.TB) (a, b int) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	require.NoError(t, err)
	t.Cleanup(func() {
		unix.Close(fds[0])
		unix.Close(fds[1])
	})
	return fds[0], fds[1]
}

// text is n bytes that tell their places.
func text(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

// list puts pieces of b into a list.
func list(v *socket.Vector, b []byte, piece func() int) {
	for v.Reset(); len(b) > 0 && !v.Full(); {
		n := min(len(b), piece())
		v.Add(b[:n])
		b = b[n:]
	}
}

// What is written is read, in whatever pieces, and with whatever number of records for each key.
func TestStreamsCarryBytes(t *testing.T) {
	for _, mode := range []seal.Mode{seal.Auth, seal.Encrypt} {
		for seed := range uint64(8) {
			rng := rand.New(rand.NewPCG(seed, 0))
			from, to := ciphers(t, mode, 1+rng.IntN(5))
			out, in := pair(t)
			var meter socket.Meter
			writer, reader := New(out, from, &meter), New(in, to, &meter)
			piece := func() int { return 1 + rng.IntN(1<<rng.IntN(18)) }
			want := text(3 << 20)
			got := make([]byte, len(want)+1)
			sent, received := 0, 0
			var v socket.Vector
			for received < len(want) {
				if list(&v, want[sent:], piece); sent < len(want) {
					n, err := writer.Write(&v)
					if err != nil {
						require.ErrorIs(t, err, syscall.EAGAIN)
					}
					sent += n
				}
				for range rng.IntN(3) {
					list(&v, got[received:], piece)
					asked := v.Len()
					n, err := reader.Read(&v)
					if err != nil {
						require.ErrorIs(t, err, syscall.EAGAIN)
					}
					received += n
					if n == asked {
						waiting, err := reader.Waiting()
						require.NoError(t, err)
						require.LessOrEqual(t, received+waiting, sent+writer.Taken())
					}
				}
			}
			require.Equal(t, len(want), received)
			require.True(t, bytes.Equal(want, got[:received]))
			require.Zero(t, writer.Taken())
			require.Nil(t, writer.(*sealed).place)
			require.Nil(t, reader.(*sealed).buffer, "an idle connection has a buffer")
			require.NotZero(t, from.sending.Epoch())

			require.True(t, writer.End())
			socket.Shutdown(out)
			list(&v, got, piece)
			n, err := reader.Read(&v)
			require.NoError(t, err)
			require.Zero(t, n)
		}
	}
}

// wire returns the bytes of some records, and where each ends.
func wire(t testing.TB, c *Cipher, payloads ...[]byte) (b []byte, ends []int) {
	for _, p := range payloads {
		var one bytes.Buffer
		require.NoError(t, c.Send(&one, p))
		b = append(b, one.Bytes()...)
		ends = append(ends, len(b))
	}
	return b, ends
}

// readAll reads a stream that has come as b.
func readAll(t testing.TB, c *Cipher, b []byte) ([]byte, error) {
	out, in := pair(t)
	reader := New(in, c, new(socket.Meter))
	var got []byte
	var v socket.Vector
	place := make([]byte, 1000)
	for ended := false; ; {
		if len(b) > 0 {
			n, _ := socket.Send(out, b)
			b = b[n:]
		}
		if len(b) == 0 && !ended {
			socket.Shutdown(out)
			ended = true
		}
		v.Reset()
		v.Add(place)
		n, err := reader.Read(&v)
		got = append(got, place[:n]...)
		switch {
		case err != nil && !errors.Is(err, syscall.EAGAIN):
			return got, err
		case err == nil && n == 0:
			return got, nil
		}
	}
}

// Whatever is done to the bytes on their way: what is read is the beginning of what was written, and then there is an error.
func TestChangedBytesAreNoticed(t *testing.T) {
	payloads := [][]byte{text(100), text(10), text(MaxPayload), text(1)}
	var whole []byte
	for _, p := range payloads {
		whole = append(whole, p...)
	}
	for _, mode := range []seal.Mode{seal.Auth, seal.Encrypt} {
		for name, spoil := range map[string]func(b []byte, ends []int) []byte{
			"a length":       func(b []byte, ends []int) []byte { b[ends[0]+3]++; return b },
			"a huge length":  func(b []byte, ends []int) []byte { b[ends[0]] = 255; return b },
			"a counter":      func(b []byte, ends []int) []byte { b[ends[0]+11]++; return b },
			"a byte":         func(b []byte, ends []int) []byte { b[ends[1]+headerSize+5000] ^= 1; return b },
			"a tag":          func(b []byte, ends []int) []byte { b[ends[2]-1] ^= 128; return b },
			"a record less":  func(b []byte, ends []int) []byte { return append(b[:ends[0]], b[ends[1]:]...) },
			"the first less": func(b []byte, ends []int) []byte { return b[ends[0]:] },
			"a record twice": func(b []byte, ends []int) []byte { return append(append([]byte(nil), b[:ends[1]]...), b[ends[0]:]...) },
			"records exchanged": func(b []byte, ends []int) []byte {
				return append(append(append([]byte(nil), b[ends[0]:ends[1]]...), b[:ends[0]]...), b[ends[1]:]...)
			},
			"a byte more":       func(b []byte, ends []int) []byte { return append([]byte{0}, b...) },
			"a cut in a record": func(b []byte, ends []int) []byte { return b[:ends[1]-3] },
			"a cut in a header": func(b []byte, ends []int) []byte { return b[:ends[0]+5] },
			"a cut between two": func(b []byte, ends []int) []byte { return b[:ends[1]] },
			"the end less":      func(b []byte, ends []int) []byte { return b[:ends[3]] },
			"more than the end": func(b []byte, ends []int) []byte { return append(b, b...) },
		} {
			from, to := ciphers(t, mode, perKey)
			b, ends := wire(t, from, append(payloads, nil)...)
			got, err := readAll(t, to, spoil(b, ends))
			require.True(t, bytes.HasPrefix(whole, got), name)
			require.Error(t, err, name)
			require.True(t, errors.Is(err, ErrChanged) || errors.Is(err, io.EOF), "%s: %v", name, err)
		}
		from, to := ciphers(t, mode, perKey)
		b, _ := wire(t, from, append(payloads, nil)...)
		got, err := readAll(t, to, b)
		require.NoError(t, err)
		require.True(t, bytes.Equal(whole, got))
	}
}

// A record of one direction, or of another connection, is none of this one.
func TestRecordsBelongToOneDirectionOfOneConnection(t *testing.T) {
	dialer, acceptor := ciphers(t, seal.Encrypt, perKey)
	other, _ := ciphers(t, seal.Encrypt, perKey)
	for _, c := range []*Cipher{acceptor, other} {
		b, _ := wire(t, c, []byte("words"))
		_, strange := ciphers(t, seal.Encrypt, perKey)
		for _, at := range []*Cipher{strange, acceptor} {
			_, err := readAll(t, at, bytes.Clone(b))
			require.ErrorIs(t, err, ErrChanged)
		}
	}
	b, _ := wire(t, dialer, []byte("words"))
	_, err := readAll(t, dialer, b)
	require.ErrorIs(t, err, ErrChanged, "reflected")
}

// Payloads of zeroes show the key stream: it must be another one for each record, over all keys and both directions.
func TestNoKeyStreamIsUsedTwice(t *testing.T) {
	seen := make(map[string]bool)
	for range 3 { // connections between the same two
		dialer, acceptor := ciphers(t, seal.Encrypt, 5)
		for _, c := range []*Cipher{dialer, acceptor} {
			for range 100 {
				b, _ := wire(t, c, make([]byte, 64))
				for block := b[headerSize : headerSize+64]; len(block) > 0; block = block[16:] {
					require.False(t, seen[string(block[:16])])
					seen[string(block[:16])] = true
				}
			}
			require.EqualValues(t, 19, c.sending.Epoch())
		}
	}
}

// A reader that wants little holds little, whatever its peer sends.
func TestWhatIsNotWantedStaysInTheKernel(t *testing.T) {
	from, to := ciphers(t, seal.Auth, perKey)
	b, _ := wire(t, from, text(100), text(100), text(3000), text(20000))
	out, in := pair(t)
	n, err := socket.Send(out, b)
	require.NoError(t, err)
	require.Equal(t, len(b), n)
	reader := New(in, to, new(socket.Meter)).(*sealed)
	var v socket.Vector
	place := make([]byte, 50)
	v.Add(place)
	n, err = reader.Read(&v)
	require.NoError(t, err)
	require.Equal(t, 50, n)
	require.True(t, reader.Buffered())
	require.LessOrEqual(t, len(reader.buffer), small)
	waiting, err := reader.Waiting()
	require.NoError(t, err)
	require.Equal(t, 50+100+3000+20000, waiting)
	v.Reset()
	place = make([]byte, 30000)
	v.Add(place)
	n, err = reader.Read(&v)
	require.NoError(t, err)
	require.Equal(t, waiting, n)
	require.Equal(t, text(20000), place[n-20000:n])
}

func TestAnEndWaitsForRoom(t *testing.T) {
	from, _ := ciphers(t, seal.Auth, perKey)
	out, _ := pair(t)
	s := New(out, from, new(socket.Meter))
	var v socket.Vector
	v.Add(text(MaxPayload))
	var err error
	for err == nil {
		_, err = s.Write(&v)
	}
	require.ErrorIs(t, err, syscall.EAGAIN)
	require.NotZero(t, s.Taken())
	require.False(t, s.End())
}

// FuzzReader: what a stranger makes of the bytes of a stream is read as their beginning, or not at all.
func FuzzReader(f *testing.F) {
	f.Add(uint16(0), uint16(1), []byte{1}, uint8(0))
	f.Add(uint16(30), uint16(50), []byte("hello"), uint8(1))
	f.Add(uint16(3), uint16(700), []byte{}, uint8(1))
	f.Add(uint16(600), uint16(0), []byte{0, 0, 0, 0, 0, 0, 0, 0}, uint8(2))
	f.Add(uint16(0), uint16(1000), []byte{}, uint8(1)) // nothing comes
	f.Fuzz(func(t *testing.T, at, less uint16, more []byte, perKey uint8) {
		from, to := ciphers(t, seal.Encrypt, 1+int(perKey))
		payloads := [][]byte{text(100), text(500), text(7), nil}
		b, _ := wire(t, from, payloads...)
		whole := append(append(text(100), text(500)...), text(7)...)
		i := min(int(at), len(b))
		j := min(i+int(less), len(b))
		changed := append(append(bytes.Clone(b[:i]), more...), b[j:]...)
		got, err := readAll(t, to, changed)
		assert.True(t, bytes.HasPrefix(whole, got))
		if err == nil {
			assert.True(t, bytes.HasPrefix(changed, b), "what comes behind the end does not matter")
			assert.Equal(t, whole, got)
		}
	})
}
