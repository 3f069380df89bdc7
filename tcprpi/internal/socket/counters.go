package socket

// Counters says what a transport has asked of the kernel since it was opened.
// Both TCP transports have a method Counters that returns them.
type Counters struct {
	// Open is the number of connected sockets now, Opened that of all so far.
	Open, Opened uint64
	// Reads, Writes, Polls (epoll_wait), Accepts and Connects count system
	// calls, those of handshakes included.
	Reads, Writes, Polls, Accepts, Connects uint64
	// Sent and Received count messages that have left and arrived entirely;
	// those of a process to itself are not among them.
	Sent, Received uint64
	// Strangers counts connections that were closed without an answer, because they have not proven in time that they belong
	// to the job.
	Strangers uint64
}

// SystemCalls is the number of all system calls that are counted.
func (c Counters) SystemCalls() uint64 {
	return c.Reads + c.Writes + c.Polls + c.Accepts + c.Connects
}
