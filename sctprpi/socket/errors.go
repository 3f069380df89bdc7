package socket

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Errors of sockets, to be found with errors.Is.
var (
	// ErrClosed: the socket has been closed.
	ErrClosed = errors.New("sctp: socket is closed")
	// ErrAssoc: there is no association of that ID, or not any more.
	ErrAssoc = errors.New("sctp: no such association")
	// ErrAddr: an address cannot be used.
	ErrAddr = errors.New("sctp: unusable address")
	// ErrTooMany: the socket has as many associations as it may have.
	ErrTooMany = errors.New("sctp: too many associations")
	// ErrWouldBlock: the send buffer has no room for the message now.
	ErrWouldBlock = errors.New("sctp: send buffer is full, wait for Writable")
	// ErrStreamFull is the ErrWouldBlock of a stream that the peer leaves unread, as
	// Config.StreamLimit or StreamPool says: messages of other streams may find room.
	ErrStreamFull = fmt.Errorf("%w: the peer does not read the stream", ErrWouldBlock)
	// ErrTooLong: the message is longer than the send buffer will ever hold.
	ErrTooLong = errors.New("sctp: message does not fit the send buffer")
	// ErrEmpty: SCTP has no messages without data (RFC 9260, section 3.3.1).
	ErrEmpty = errors.New("sctp: message without data, which SCTP cannot send")
	// ErrStream: the association has no stream of that number.
	ErrStream = errors.New("sctp: no such stream")
	// ErrEvent: the event cannot be put back.
	ErrEvent = errors.New("sctp: not an event that can be put back")
	// ErrShutdown: the association is being shut down.
	ErrShutdown = errors.New("sctp: association is being shut down")
	// ErrPathMTU: packets of the size that every path must carry, 576 bytes of IP
	// packet for IPv4 and 1,280 for IPv6, do not pass to the peer.
	ErrPathMTU = errors.New("sctp: the path to the peer is too narrow")
	// ErrUnreachable: the peer does not answer.
	ErrUnreachable = errors.New("sctp: peer does not answer")
	// ErrDenied: this host does not send to the peer: there is no route, or a firewall of its own forbids it. The system's error
	// is wrapped too.
	ErrDenied = errors.New("sctp: this host cannot send to the peer")
)

// ErrSilent: nothing was heard from the peer for Config.PeerTimeout. It is an
// ErrUnreachable.
var ErrSilent = fmt.Errorf("%w: nothing was heard from it", ErrUnreachable)

// SilenceReason begins the reason of the ABORT with which an end takes leave of a peer that
// it has not heard for too long, in case that the peer lives after all.
const SilenceReason = "nothing was heard from the peer"

// AbortError says why an association was aborted.
type AbortError struct {
	// Remote: by the peer.
	Remote bool
	// Cause is the cause code (RFC 9260, section 3.3.10), 0 if none was given;
	// 12 is the user's wish.
	Cause uint16
	// Reason is the user's reason, or says which rule was broken.
	Reason string
}

// linuxSilence is the reason that Linux gives.
const linuxSilence = "Association exceeded its max_retrans count"

// Silence reports whether the peer has given this end up because it did not hear it.
func (e *AbortError) Silence() bool {
	return e.Remote && (strings.HasPrefix(e.Reason, SilenceReason) || strings.HasPrefix(e.Reason, linuxSilence))
}

func (e *AbortError) Error() string {
	who := "locally"
	if e.Remote {
		who = "by the peer"
	}
	s := fmt.Sprintf("sctp: association aborted %s, cause %d", who, e.Cause)
	if e.Reason != "" {
		s += ": " + printable(e.Reason)
	}
	return s
}

// printable is a text of the network as a terminal may get it: as it is, or in quotes if there is anything in it that a terminal obeys.
func printable(text string) string {
	text = strings.TrimSuffix(text, "\x00") // Linux sends its own with it
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
