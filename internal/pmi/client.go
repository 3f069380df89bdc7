package pmi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

var (
	// ErrNoLauncher says that the environment names no launcher: the process is a world of one.
	ErrNoLauncher = errors.New("pmi: not started by a launcher")
	// ErrKeyNotFound says that no rank has put the key, or not before the last fence.
	ErrKeyNotFound = errors.New("pmi: no such key")
	// ErrClosed says that the client has been finalized or closed.
	ErrClosed = errors.New("pmi: client is closed")
)

// maxRequest bounds a line that a client sends, in bytes with its newline: Slurm reads a request with one read(2) into
// a buffer of this size.
const maxRequest = 1024

// Client is a rank's connection to its launcher. Its methods may be called by several goroutines at once; they take
// turns, so that a Get waits for the end of a Fence that another goroutine is in. Only Abort does not wait.
//
// Every method gives up when its context ends. A call that was given up, and one whose reply made no sense, leaves the
// conversation with the launcher undefined: from then on every call but Abort and Close returns that same error.
type Client struct {
	rank, size int
	kvsName    string
	maxKey     int  // bytes, one more than the longest key
	maxValue   int  // bytes, one more than the longest value
	ours       bool // the launcher is one with a Server, which knows more than PMI-1

	conn    net.Conn
	replies chan string   // what the launcher has answered; closed when it will say nothing more
	end     error         // why it will answer no more; to be read when replies is closed
	over    chan struct{} // closed with replies
	parting atomic.Bool   // this process itself ends the connection
	watch   watch

	turn    chan struct{} // holds one element while a call is under way
	broken  error         // why no further call can succeed; belongs to the holder of turn
	writing sync.Mutex    // keeps the line of an Abort apart from that of a call
}

// NewClient begins the conversation with the launcher at the other end of conn, as rank of a job of size ranks. It takes
// conn over: an error closes it. Programs use [Open]; NewClient is for those that have made the connection themselves.
func NewClient(ctx context.Context, conn net.Conn, rank, size int) (*Client, error) {
	c, err := newClient(conn).begin(ctx, rank, size)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

func newClient(conn net.Conn) *Client {
	c := &Client{conn: conn, replies: make(chan string, maxReplies), over: make(chan struct{}), turn: make(chan struct{}, 1)}
	go c.read()
	return c
}

// begin exchanges what has to be known before anything else: versions, limits, the name of the key-value space.
func (c *Client) begin(ctx context.Context, rank, size int) (*Client, error) {
	if size < 1 || rank < 0 || rank >= size {
		return nil, fmt.Errorf("pmi: rank %d is not in a job of size %d", rank, size)
	}
	c.rank, c.size = rank, size

	reply, err := c.call(ctx, "response_to_init", format("init", "pmi_version", "1", "pmi_subversion", "1"))
	if err != nil {
		return nil, fmt.Errorf("pmi: init: %w", err)
	}
	_, c.ours = reply.get(oursKey)
	version, err := reply.integer("pmi_version")
	if err != nil {
		return nil, fmt.Errorf("pmi: init: %w", err)
	}
	if version != 1 {
		return nil, fmt.Errorf("pmi: init: the launcher speaks PMI version %d, not 1", version)
	}

	reply, err = c.call(ctx, "maxes", format("get_maxes"))
	if err != nil {
		return nil, fmt.Errorf("pmi: limits: %w", err)
	}
	if c.maxKey, err = reply.integer("keylen_max"); err != nil {
		return nil, fmt.Errorf("pmi: limits: %w", err)
	}
	if c.maxValue, err = reply.integer("vallen_max"); err != nil {
		return nil, fmt.Errorf("pmi: limits: %w", err)
	}

	reply, err = c.call(ctx, "my_kvsname", format("get_my_kvsname"))
	if err != nil {
		return nil, fmt.Errorf("pmi: name of the key-value space: %w", err)
	}
	c.kvsName, _ = reply.get("kvsname")
	if err := checkWord("name of the key-value space", c.kvsName, maxRequest/2); err != nil {
		return nil, fmt.Errorf("pmi: %w", err)
	}
	return c, nil
}

// Rank is this process's rank in the job, from 0.
func (c *Client) Rank() int { return c.rank }

// Size is the number of ranks of the job.
func (c *Client) Size() int { return c.size }

// KVSName is the launcher's name for the key-value space of this job. It differs from job to job.
func (c *Client) KVSName() string { return c.kvsName }

// Close ends the connection. A launcher takes a rank that closes without [Client.Finalize] for one that has failed.
func (c *Client) Close() error {
	c.parting.Store(true)
	return c.conn.Close()
}

// call sends a request and waits for its reply, which must be the command want and must not carry a non-zero rc; if it
// does the error is a [refusal] and the conversation goes on.
func (c *Client) call(ctx context.Context, want string, request []byte) (message, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return message{}, context.Cause(ctx)
	}
	if c.broken != nil {
		return message{}, c.broken
	}
	if len(request) > maxRequest {
		return message{}, fmt.Errorf("request of %d bytes is longer than %d", len(request), maxRequest)
	}
	if ctx.Err() != nil { // nothing has been sent yet, so the conversation stays whole
		return message{}, context.Cause(ctx)
	}
	if err := c.send(ctx, request); err != nil {
		c.broken = err
		return message{}, err
	}
	reply, err := c.receive(ctx, want)
	if err != nil {
		c.broken = err
		return message{}, err
	}
	if rc, ok := reply.get("rc"); ok && rc != "0" {
		text, ok := reply.get("msg")
		if !ok {
			text, _ = reply.get("errmsg")
		}
		return message{}, refusal{rc: rc, text: text}
	}
	return reply, nil
}

// refusal is the launcher's answer that it did not do what it was asked for.
type refusal struct{ rc, text string }

func (r refusal) Error() string {
	if r.text == "" {
		return "launcher refused with rc=" + r.rc
	}
	return fmt.Sprintf("launcher refused with rc=%s: %s", r.rc, r.text)
}

func (c *Client) send(ctx context.Context, line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return bounded(ctx, c.conn.SetWriteDeadline, func() error {
		return lost(write(c.conn, line))
	})
}

// receive waits for one line and checks that it is the command want.
func (c *Client) receive(ctx context.Context, want string) (message, error) {
	var line string
	select {
	case said, more := <-c.replies:
		if !more {
			return message{}, c.end
		}
		line = said
	case <-ctx.Done():
		return message{}, context.Cause(ctx)
	}
	reply, err := parse(line)
	if err != nil {
		return message{}, fmt.Errorf("launcher's reply: %w", err)
	}
	if reply.cmd != want {
		return message{}, fmt.Errorf("launcher answered %s where %s was due", excerpt(line), want)
	}
	return reply, nil
}

// lost explains the errors of a connection that is gone.
func lost(err error) error {
	switch {
	case errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe):
		return ErrClosed
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("launcher closed the connection: %w", io.ErrUnexpectedEOF)
	}
	return err
}
