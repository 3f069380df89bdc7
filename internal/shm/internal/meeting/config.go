package meeting

import (
	"errors"
	"fmt"
	"time"
)

// Limits.
const (
	// HandshakeTime bounds a handshake, and each of Exchange and Conclude.
	HandshakeTime = 10 * time.Second
	// HalfOpen bounds the dialers of a listener that have not been accepted. Others wait in the kernel.
	// Each takes two descriptors.
	HalfOpen = 64
	// MaxSegments bounds the segments of an offer.
	MaxSegments = 4
	// MaxData bounds the data of an offer and of a conclusion, and the text of a refusal, in bytes.
	MaxData = 1024
)

// Why there is no meeting. Each of them means that the pair has no shared memory.
var (
	ErrNotSupported = fmt.Errorf("shared memory needs Linux 5.3: %w", errors.ErrUnsupported)
	// ErrElsewhere: peers of another place cannot be met.
	ErrElsewhere = errors.New("not on this host, or in other namespaces")
	ErrUser      = errors.New("it is another user's")
	ErrInvisible = errors.New("its process cannot be seen from this one's PID namespace")
	ErrToken     = errors.New("it does not know the job's token")
	// ErrNoAnswer: nothing listens there, or what does has another version of the protocol, takes this process for
	// an outsider, or has too little time.
	ErrNoAnswer = errors.New("no answer")
	// ErrGarbage: what came is not of the protocol.
	ErrGarbage = errors.New("it does not speak this version of the protocol")
	// ErrYours: the acceptor is dialing too, and that is the meeting to use.
	ErrYours = errors.New("the peer's own meeting is the one to use")
	// ErrClosed: the peer, or this listener, has been closed.
	ErrClosed = errors.New("closed")
	// ErrSegment: a segment or a doorbell is not what it must be.
	ErrSegment = errors.New("unfit memory")
	// ErrDescriptors: the peer has sent more descriptors than a meeting needs, or this process has none free for them.
	ErrDescriptors = errors.New("not all descriptors could be received")
	// ErrRefused: the peer has refused, and said why.
	ErrRefused = errors.New("the peer refuses")
)

// Answer is what an acceptor tells a dialer that has proved who it is.
type Answer byte

// The answers.
const (
	Welcome Answer = 1 + iota
	Yours          // the dialer gets ErrYours
	Closed         // the dialer gets ErrClosed
)

// Config describes a process of a job.
type Config struct {
	// Token is the job's secret. There must be one.
	Token []byte
	// Rank and Size place the process in its job.
	Rank, Size int
	// MaxBytes bounds the segments that a peer may hand over in a meeting, in bytes.
	MaxBytes int64
	// Admit answers a dialer that has been proved to be rank from. It must not block. Accept returns the meeting
	// with each dialer that is welcomed, unless the listener is closed first. When two ranks dial each other
	// it is to have one of them use the other's meeting. Nil: all are welcome.
	Admit func(from int) Answer
}

func (cfg *Config) check() error {
	if len(cfg.Token) == 0 {
		return errors.New("shared memory needs a job token")
	}
	if cfg.Rank < 0 || cfg.Rank >= cfg.Size {
		return fmt.Errorf("rank %d of %d", cfg.Rank, cfg.Size)
	}
	return nil
}
