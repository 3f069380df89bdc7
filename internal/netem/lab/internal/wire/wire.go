// Package wire defines what a host and the init process of its lab say to each other, as gob values over the lab's first
// serial line.
package wire

// Spec is the command that the guest shall run.
type Spec struct {
	Path    string   // absolute
	Args    []string // with the name of the program as the first
	Env     []string
	Dir     string   // absolute
	Scratch []string // absolute directories of the host that the guest may write to

	Stdin    bool    // host will send standard input; else the command reads nothing
	Terminal *Window // command has a terminal of this size; what it writes is all Stdout
}

// Window is the size of a terminal in characters.
type Window struct{ Rows, Cols uint16 }

// The serial driver of User Mode Linux may sleep for ever once it has found the socket full, or its buffer of input. So no
// more is under way than these hold: each side sends a chunk of data only while it has a credit, which comes back when the
// other has dealt with the chunk, and the host has no more than InputWindow bytes, of anything, that the guest has not read.
const (
	ChunkSize   = 8 << 10 // bytes of data in a message, at the most
	Credits     = 4       // chunks under way in each direction
	InputWindow = 2 << 10
)

// ToGuest is a message of the host. The first carries the Spec.
type ToGuest struct {
	Spec  *Spec
	Stdin []byte
	EOF   bool // standard input ends here
	Taken bool // a chunk of output has been dealt with
}

// FromGuest is a message of the guest. The first is Ready; Exit or Failure is the last.
type FromGuest struct {
	Ready          bool // guest has set its line to raw: host may write now
	Begun          bool // the command has been started
	Read           int  // bytes of the host's messages that have been read
	Stdout, Stderr []byte
	Taken          bool // a chunk of standard input has been dealt with
	Exit           *Exit
	Failure        string // why there was no command to run
}

// Exit says how the command ended.
type Exit struct {
	Code   int // exit status, if Signal is zero
	Signal int
}
