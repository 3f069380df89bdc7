//go:build !race && linux

package foreign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestForeignSctpDarnIsCalled has sctp_darn receive messages of associations that we abort or shut
// down.
func TestForeignSctpDarnIsCalled(t *testing.T) {
	eachStack(t, func(s *setting) {
		them := s.start("sctp_darn", theirPort, "-l")
		them.expect("listening")
		for _, end := range []struct {
			by       func()
			kind     socket.Kind
			notified string
		}{
			{func() { require.NoError(s, s.us.Abort(s.us.ID, "enough")) }, socket.Aborted, "SCTP_COMM_LOST"},
			{func() { require.NoError(s, s.us.Shutdown(s.us.ID)) }, socket.Closed, "SCTP_SHUTDOWN_COMP"},
		} {
			s.us.Dial(s.there)
			them.expect("SCTP_COMM_UP")
			s.us.Queue(line(3, "hello"), line(4, "and more"))
			s.us.Until("room to send", s.us.Sent)
			them.expect("sinfo_stream 3")
			them.expect("DATA(6):  hello")
			them.expect("sinfo_stream 4")
			them.expect("DATA(9):  and more")
			end.by()
			them.expect(end.notified)
			s.untilEnd(end.kind)
			s.us.Forget()
		}
	})
}

// TestForeignSctpDarnCalls has sctp_darn, told interactively, send messages and shut down or
// abort the association.
func TestForeignSctpDarnCalls(t *testing.T) {
	eachStack(t, func(s *setting) {
		for i, end := range []struct {
			command string
			kind    socket.Kind
		}{{"shutdown", socket.Closed}, {"abort", socket.Aborted}} {
			them := s.start("sctp_darn", 5001+i, append([]string{"-s", "-I"}, s.address...)...)
			them.tell("snd=100")
			them.tell("snd=20000")
			s.us.UntilReceived(2)
			require.Len(s, s.us.Messages[0].Body, 100)
			require.Len(s, s.us.Messages[1].Body, 20_000)
			them.tell(end.command)
			s.untilEnd(end.kind)
			s.us.Forget()
		}
	})
}

// line is a message that sctp_darn, which takes the last byte for the end of a line,
// prints as a line.
func line(stream int, text string) interoptest.Message {
	return interoptest.Message{Stream: socket.StreamID(stream), Body: []byte(text + "\n")}
}
