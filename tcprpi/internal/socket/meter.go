// Package socket is what the TCP transports need of the operating system: gather and scatter calls,
// a watcher, and descriptors of connections that package net has made.
package socket

import (
	"net"
	"sync/atomic"
)

// Meter counts what Counters shows. Its zero value is ready to use.
type Meter struct {
	Opened, Closed                          atomic.Uint64 // sockets
	Reads, Writes, Polls, Accepts, Connects atomic.Uint64 // system calls
	Sent, Received                          atomic.Uint64 // messages
	Strangers                               atomic.Uint64 // connections that proved nothing
}

// Counters returns the counts.
func (m *Meter) Counters() Counters {
	closed := m.Closed.Load() // first, so that it is never more than opened
	opened := m.Opened.Load()
	return Counters{
		Open: opened - closed, Opened: opened,
		Reads: m.Reads.Load(), Writes: m.Writes.Load(), Polls: m.Polls.Load(),
		Accepts: m.Accepts.Load(), Connects: m.Connects.Load(),
		Sent: m.Sent.Load(), Received: m.Received.Load(), Strangers: m.Strangers.Load(),
	}
}

// Metered is a connection whose reads and writes are counted.
type Metered struct {
	*net.TCPConn
	Meter *Meter
}

func (c Metered) Read(b []byte) (int, error) {
	c.Meter.Reads.Add(1)
	return c.TCPConn.Read(b)
}

func (c Metered) Write(b []byte) (int, error) {
	c.Meter.Writes.Add(1)
	return c.TCPConn.Write(b)
}
