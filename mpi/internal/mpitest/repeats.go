package mpitest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// repeats are messages that are sent again and again by persistent requests, and messages in partitions. Each rank starts all of its
// own, and completes them, in orders and ways that it chooses by itself.
type repeats struct {
	channels []channel
	times    int
	seed     uint64
}

// A channel is a message of which each time has other bytes. Its id is its tag.
type channel struct {
	message
	sent, got repeat
	// partitions at the source and at the destination, 0 if there are none; they divide the message.
	partitions [2]int
	any        bool // it is received from any source
}

// repeat is how one side of a channel repeats it. Either side may do it without a persistent request.
type repeat int

const (
	once repeat = iota
	kept
	keptSync
	keptBuffered
	repeatKinds
)

func (g *generator) repeats(size int) *repeats {
	p := &repeats{times: 1 + g.IntN(4), seed: g.Uint64()}
	for id := range 1 + g.IntN(12) {
		k := channel{
			message: message{id: id, source: g.IntN(size), dest: g.IntN(size), tag: id, size: g.length()},
			sent:    repeat(g.IntN(int(repeatKinds))), got: repeat(g.IntN(2)), any: g.IntN(4) == 0,
		}
		if k.sent == keptBuffered && g.program.UnexpectedLimit < 64<<20 { // which bounds what is buffered
			k.sent = keptSync
		}
		if g.IntN(2) == 0 {
			k.partitions = [2]int{1 + g.IntN(20), 1 + g.IntN(20)}
			k.size -= k.size % (k.partitions[0] * k.partitions[1])
		}
		p.channels = append(p.channels, k)
	}
	return p
}

// at is the message of one time.
func (k *channel) at(time int) *message {
	m := k.message
	m.id = m.id<<8 | time
	return &m
}

// end is one side of a channel at its rank. The request is nil if each time has another one.
type end struct {
	*channel
	sends   bool
	buf     []byte
	request *mpi.Request
}

func (p *repeats) run(c *mpi.Comm) error {
	own := rand.New(rand.NewPCG(p.seed, uint64(c.Rank())))
	var ends []*end
	for i := range p.channels {
		k := &p.channels[i]
		if k.source == c.Rank() {
			ends = append(ends, &end{channel: k, sends: true, buf: make([]byte, k.size)})
		}
		if k.dest == c.Rank() {
			ends = append(ends, &end{channel: k, buf: make([]byte, k.size)})
		}
	}
	each := func(what string, do func(e *end) error) error {
		own.Shuffle(len(ends), func(i, j int) { ends[i], ends[j] = ends[j], ends[i] })
		for _, e := range ends {
			if err := do(e); err != nil {
				return fmt.Errorf("%s of %+v, sends %v: %w", what, *e.channel, e.sends, err)
			}
		}
		return nil
	}
	if err := each("init", func(e *end) error { return e.init(c) }); err != nil {
		return err
	}
	for time := range p.times {
		requests, statuses := make(map[*end]*mpi.Request), make(map[*end]mpi.Status)
		err := each("start", func(e *end) (err error) {
			requests[e], err = e.start(c, time)
			return err
		})
		if err == nil {
			err = each("ready", func(e *end) error { return e.ready(own) })
		}
		if err == nil {
			err = each("arrived", func(e *end) error { return e.arrived(own) })
		}
		if err != nil {
			return err
		}
		all := make([]*mpi.Request, len(ends))
		for i, e := range ends {
			all[i] = requests[e]
		}
		got, err := completeAllBy(own.IntN(ways), all)
		if err != nil {
			return err
		}
		for i, e := range ends {
			statuses[e] = got[i]
		}
		if err := each("end", func(e *end) error { return e.check(statuses[e], time) }); err != nil {
			return err
		}
	}
	return each("free", func(e *end) error {
		if e.request == nil {
			return nil
		}
		return e.request.Free()
	})
}

// init makes the request of a side that has one.
func (e *end) init(c *mpi.Comm) (err error) {
	source := e.source
	if e.any {
		source = mpi.AnySource
	}
	switch parted := e.partitions[0] > 0; {
	case parted && e.sends:
		e.request, err = mpi.PsendInit(c, e.buf, e.partitions[0], e.dest, e.tag)
	case parted:
		e.request, err = mpi.PrecvInit(c, e.buf, e.partitions[1], e.source, e.tag)
	case e.sends && e.sent == kept:
		e.request, err = mpi.SendInit(c, e.buf, e.dest, e.tag)
	case e.sends && e.sent == keptSync:
		e.request, err = mpi.SsendInit(c, e.buf, e.dest, e.tag)
	case e.sends && e.sent == keptBuffered:
		e.request, err = mpi.BsendInit(c, e.buf, e.dest, e.tag)
	case !e.sends && e.got == kept:
		e.request, err = mpi.RecvInit(c, e.buf, source, e.tag)
	}
	return err
}

// start starts a time, and returns its request.
func (e *end) start(c *mpi.Comm, time int) (*mpi.Request, error) {
	clear(e.buf)
	if e.sends {
		copy(e.buf, e.at(time).body())
	}
	switch {
	case e.request != nil:
		return e.request, e.request.Start()
	case e.sends:
		return mpi.Isend(c, e.buf, e.dest, e.tag)
	}
	return mpi.Irecv(c, e.buf, e.source, e.tag)
}

// ready declares the partitions of a sender ready, in any order.
func (e *end) ready(own *rand.Rand) error {
	n := e.partitions[0]
	if !e.sends || n == 0 {
		return nil
	}
	switch own.IntN(4) {
	case 0:
		return e.request.PreadyRange(0, n-1)
	case 1:
		return e.request.PreadyList(own.Perm(n)...)
	case 2: // by several goroutines
		errs := make(chan error, n)
		for i := range n {
			go func() { errs <- e.request.Pready(i) }()
		}
		var all error
		for range n {
			all = errors.Join(all, <-errs)
		}
		return all
	}
	for _, i := range own.Perm(n) {
		if err := e.request.Pready(i); err != nil {
			return err
		}
	}
	return nil
}

// arrived waits for some partitions of a receiver, and looks at them.
func (e *end) arrived(own *rand.Rand) error {
	n := e.partitions[1]
	if e.sends || n == 0 {
		return nil
	}
	for _, i := range own.Perm(n)[:own.IntN(n+1)] {
		for {
			there, err := e.request.Parrived(i)
			if err != nil {
				return err
			}
			if there {
				break
			}
			runtime.Gosched()
		}
	}
	return nil
}

// check compares what has come with what was sent. Then the sender may use its buffer again.
func (e *end) check(status mpi.Status, time int) error {
	if e.sends {
		for i := range e.buf {
			e.buf[i] = 0xdb
		}
		return nil
	}
	if want := (mpi.Status{Source: e.source, Tag: e.tag, Count: e.size, Bytes: e.size}); status != want {
		return fmt.Errorf("time %d: the status is %+v and should be %+v", time, status, want)
	}
	if !bytes.Equal(e.buf, e.at(time).body()) {
		return fmt.Errorf("time %d: these are not the bytes of the message", time)
	}
	return nil
}
