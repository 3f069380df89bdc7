//go:build !race && linux

package foreign

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestForeignSctpTestIsCalled has sctp_test receive messages of ours.
func TestForeignSctpTestIsCalled(t *testing.T) {
	eachStack(t, func(s *setting) {
		them := s.start("sctp_test", theirPort, "-l")
		them.expect("Receiving packets")
		s.us.Dial(s.there)
		s.us.UntilSeen(socket.Up)
		for i, size := range []int{1, 100, 1452, 1453, 20_000, 32_768} {
			s.us.Queue(interoptest.NewMessage(i, size))
			s.us.Until("room to send", s.us.Sent)
			them.expect(fmt.Sprintf("Data %d bytes.", size))
			if i > 0 { // of its first message it does not tell
				them.expect(fmt.Sprintf("SNDRCV(stream=%d ", i))
			}
		}
		require.NoError(s, s.us.Shutdown(s.us.ID))
		them.expect("SCTP_ASSOC_CHANGE(SHUTDOWN_COMPLETE)")
		s.untilEnd(socket.Closed)
	})
}

// TestForeignSctpTestCalls has sctp_test send messages of all its sizes, ordered and unordered
// in turn, on four streams.
func TestForeignSctpTestCalls(t *testing.T) {
	eachStack(t, func(s *setting) {
		const rounds = 5
		args := []string{"-s", "-c", "4", "-x", fmt.Sprint(rounds), "-o", "2", "-M", "4"}
		them := s.start("sctp_test", 5001, append(args, s.address...)...)
		s.untilEnd(socket.Closed)
		them.finish()
		var want, got []int
		for range rounds {
			want = append(want, 1, 1000, 2000, 3000, 5000, 10_000, 15_000, 20_000, 25_000, 32_768)
		}
		for _, m := range s.us.Messages {
			got = append(got, len(m.Body))
			if len(m.Body) > 1 {
				assert.Equal(s, "0123456789", string(m.Body[:10]))
			}
			assert.Less(s, m.Stream, socket.StreamID(4))
		}
		slices.Sort(want)
		slices.Sort(got)
		require.Equal(s, want, got)
	})
}
