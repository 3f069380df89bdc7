package pmi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// maxReplies bounds the lines of a launcher that wait to be read by a call. The longest answer has four.
const maxReplies = 8

// oursKey is the attribute by which a [Server] tells a client that it knows more than PMI-1: it may be told of failed
// peers, and may say something without having been asked.
const oursKey = "sctpmpi"

// AnyPeer stands for some other rank of the job, it is not known which.
const AnyPeer = -1

// watch is what a process wants to be told without having asked.
type watch struct {
	mu     sync.Mutex
	gone   func(reason error)
	notice func(what string)
	ended  error // why the launcher says nothing more, once it does not
}

// Watch has gone called, once, when the launcher has closed the connection or the connection has failed, but not when
// this process has closed or finalized it; and notice with each word of the launcher that answers no call, see
// [Server.Notify]. They are called one at a time, by a goroutine that reads nothing meanwhile; either may be nil. Under Hydra there are
// notices of deaths only, for which SIGUSR1 is caught.
func (c *Client) Watch(ctx context.Context, gone func(reason error), notice func(what string)) error {
	c.watch.mu.Lock()
	c.watch.gone, c.watch.notice = gone, notice
	ended := c.watch.ended
	c.watch.mu.Unlock()
	if ended != nil {
		c.tellGone(ended)
		return nil
	}
	if !c.ours {
		c.watchHydra(notice)
	}
	return c.tell(ctx, "watch")
}

// PeerFailed tells the launcher that this process has seen the failure of rank peer, or of some rank if peer is
// [AnyPeer]: if it fails itself now, that most likely follows from it. Only mpirun wants to know. PeerFailed does not
// wait for calls under way.
func (c *Client) PeerFailed(ctx context.Context, peer int) error {
	return c.tell(ctx, "peer_failed", "rank", strconv.Itoa(peer))
}

// Answer answers what the launcher has said without having been asked: see [Server.Notify].
func (c *Client) Answer(ctx context.Context, text string) error {
	return c.tell(ctx, "answer", "text", escapeText(text))
}

// tell sends a request that has no reply, if the launcher is one that knows such requests.
func (c *Client) tell(ctx context.Context, cmd string, pairs ...string) error {
	if !c.ours {
		return nil
	}
	if err := c.send(ctx, format(cmd, pairs...)); err != nil {
		return fmt.Errorf("pmi: %s: %w", cmd, err)
	}
	return nil
}

// read hands on what the launcher says until the connection ends. It never waits for a call, so that the end is noticed
// at once.
func (c *Client) read() {
	in := bufio.NewReaderSize(c.conn, maxLine)
	for {
		line, err := readLine(in)
		if err == nil {
			err = c.heard(line)
		}
		if err != nil {
			c.end = lost(err)
			close(c.replies)
			close(c.over)
			c.tellGone(c.end)
			return
		}
	}
}

// heard deals with one line.
func (c *Client) heard(line string) error {
	if m, err := parse(line); err == nil && m.cmd == "notice" {
		c.watch.mu.Lock()
		notice := c.watch.notice
		c.watch.mu.Unlock()
		if what, _ := m.get("what"); notice != nil {
			notice(what)
		}
		return nil
	}
	select {
	case c.replies <- line:
		return nil
	default:
		return errors.New("launcher says more than it was asked")
	}
}

// tellGone reports the end of the connection to the one that watches for it, once.
func (c *Client) tellGone(reason error) {
	c.watch.mu.Lock()
	gone := c.watch.gone
	c.watch.gone, c.watch.ended = nil, reason
	c.watch.mu.Unlock()
	if gone != nil && !c.parting.Load() {
		gone(reason)
	}
}
