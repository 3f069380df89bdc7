package matching

// Named integers of the matching layer. A rank here is always the rank of a
// process in the job (its rank in the world communicator); communicators
// translate to and from their own numbering above this package.
type (
	// Rank names a process of the job, or AnySource in a receive.
	Rank int32
	// Tag is the user's message tag, or AnyTag in a receive.
	Tag int32
	// Context keeps the messages of different communicators apart (MPI 4.1,
	// section 7.2).
	Context uint64
	// Seq numbers the messages that one process sends to another in one
	// context, from 0. By it an AnyTag receive takes messages in the order of
	// sending, though they have travelled on different streams.
	Seq uint64
	// Type identifies the layout of a message's elements: if it is the same at
	// two processes, so is the layout.
	Type uint32
)

// Wildcards of a receive or probe.
const (
	AnySource Rank = -1
	AnyTag    Tag  = -1
)

// MaxLength bounds the length of a message in bytes: what an int holds on
// every platform that the project supports, and far below where offset
// arithmetic could wrap.
const MaxLength = 1 << 46

// Envelope is what a receive knows of a message before it takes it. Messages are matched by Tag, Context and Seq; the rest is for the
// receiver.
type Envelope struct {
	Tag     Tag
	Context Context
	Seq     Seq
	// Length is the length of the message in bytes.
	Length uint64
	Type   Type
	// ElemSize is the size of one element in bytes; 0 if that is more than a uint16 holds. It may also be 0 when Length is.
	ElemSize uint16
}
