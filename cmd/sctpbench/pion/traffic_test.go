package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

const (
	messages = 10_000 // in each direction
	streams  = 64
	maxSize  = 256 << 10
)

// material has the contents of all messages: each is a part of it, from a random offset.
var material = func() []byte {
	b := make([]byte, 1<<20)
	var seed [32]byte
	_, _ = rand.NewChaCha8(seed).Read(b) // never fails
	return b
}()

// message is the content and the stream of a message.
type message struct {
	stream  uint16
	content []byte
}

// traffic is the messages in one direction.
type traffic []message

// newTraffic makes messages of 1 byte to 256 KiB, some 20 MiB in all. Most are short, a few very
// long.
func newTraffic(seed uint64) traffic {
	random := rand.New(rand.NewPCG(seed, 3))
	t := make(traffic, messages)
	for i := range t {
		size := 1 + random.IntN(1<<min(random.IntN(19), random.IntN(19)))
		start := random.IntN(len(material) - maxSize)
		t[i] = message{uint16(random.IntN(streams)), material[start:][:size]}
	}
	return t
}

// of returns the messages of each stream.
func (t traffic) of() [streams]traffic {
	var all [streams]traffic
	for _, m := range t {
		all[m.stream] = append(all[m.stream], m)
	}
	return all
}

// check compares the pieces of a stream, in the order of their arrival, with what was sent.
type check struct {
	rest traffic // the first message is the one that is arriving
	have int     // bytes of it so far
}

// piece checks one piece. The piece of a whole message both begins and ends it.
func (c *check) piece(b []byte, begin, end bool) error {
	if len(c.rest) == 0 {
		return fmt.Errorf("%d bytes more than were sent", len(b))
	}
	m := c.rest[0]
	if begin != (c.have == 0) {
		return fmt.Errorf("stream %d: a piece at %d of a message of %d bytes says begin: %t", m.stream, c.have, len(m.content), begin)
	}
	if !bytes.HasPrefix(m.content[c.have:], b) {
		return fmt.Errorf("stream %d: %d bytes at %d of a message of %d are not what was sent", m.stream, len(b), c.have, len(m.content))
	}
	c.have += len(b)
	if end != (c.have == len(m.content)) {
		return fmt.Errorf("stream %d: a piece up to %d of a message of %d bytes says end: %t", m.stream, c.have, len(m.content), end)
	}
	if end {
		c.rest, c.have = c.rest[1:], 0
	}
	return nil
}
