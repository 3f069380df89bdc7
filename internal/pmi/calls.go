package pmi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Put publishes a value, which the other ranks see after the next [Client.Fence]. Keys and values are printable ASCII
// without space and backslash, not empty, and shorter than the launcher's limits (64 and 1024 bytes under Hydra, Slurm
// and mpirun); name, key and value together must fit the 1024 bytes of a request. Keys have no '=' and do not begin with
// "PMI_", which is the launcher's. Binary values go as base64.
func (c *Client) Put(ctx context.Context, key, value string) error {
	if err := c.checkKey(key); err != nil {
		return fmt.Errorf("pmi: put: %w", err)
	}
	if err := checkWord("value", value, c.maxValue); err != nil {
		return fmt.Errorf("pmi: put %s: %w", key, err)
	}
	request := format("put", "kvsname", c.kvsName, "key", key, "value", value)
	if _, err := c.call(ctx, "put_result", request); err != nil {
		return fmt.Errorf("pmi: put %s: %w", key, err)
	}
	return nil
}

// Get reads the value that some rank has put before the last fence, or one of the launcher's own, such as
// "PMI_process_mapping". The error for a key that no rank has put is [ErrKeyNotFound].
func (c *Client) Get(ctx context.Context, key string) (string, error) {
	if err := c.checkKey(key); err != nil {
		return "", fmt.Errorf("pmi: get: %w", err)
	}
	reply, err := c.call(ctx, "get_result", format("get", "kvsname", c.kvsName, "key", key))
	if _, refused := errors.AsType[refusal](err); refused {
		return "", fmt.Errorf("%w: %s", ErrKeyNotFound, key)
	}
	if err != nil {
		return "", fmt.Errorf("pmi: get %s: %w", key, err)
	}
	if found, ok := reply.get("found"); ok && found == "FALSE" {
		return "", fmt.Errorf("%w: %s", ErrKeyNotFound, key)
	}
	value, ok := reply.get("value")
	if !ok {
		return "", fmt.Errorf("pmi: get %s: reply has no value", key)
	}
	return value, nil
}

// Fence returns when every rank of the job has called it. It fails when a rank has gone and will never call it, if the
// launcher says so (mpirun does; others end the job).
func (c *Client) Fence(ctx context.Context) error {
	if _, err := c.call(ctx, "barrier_out", format("barrier_in")); err != nil {
		return fmt.Errorf("pmi: fence: %w", err)
	}
	return nil
}

// UniverseSize is the number of processes that the launcher could run in all (MPI 4.1, section 11.10.1), or 0 when it
// does not say.
func (c *Client) UniverseSize(ctx context.Context) (int, error) {
	reply, err := c.call(ctx, "universe_size", format("get_universe_size"))
	if _, refused := errors.AsType[refusal](err); refused {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("pmi: universe size: %w", err)
	}
	n, err := reply.integer("size")
	if err != nil {
		return 0, fmt.Errorf("pmi: universe size: %w", err)
	}
	return max(n, 0), nil
}

// AppNum is the number, from 0, of the application context that started this process (MPI 4.1, section 11.10.3):
// its place between the colons of mpirun's command line. It is -1 when the launcher does not say.
func (c *Client) AppNum(ctx context.Context) (int, error) {
	reply, err := c.call(ctx, "appnum", format("get_appnum"))
	if _, refused := errors.AsType[refusal](err); refused {
		return -1, nil
	}
	if err != nil {
		return -1, fmt.Errorf("pmi: appnum: %w", err)
	}
	n, err := reply.integer("appnum")
	if err != nil {
		return -1, fmt.Errorf("pmi: appnum: %w", err)
	}
	return max(n, -1), nil
}

// Abort asks the launcher to end the whole job with an exit status and tells it why. The launcher does not answer: it
// kills the job, this process included, so the caller should exit once Abort has returned. Text that is too long for a
// request is cut off. Abort may be called while another goroutine waits in a call, a Fence above all.
func (c *Client) Abort(ctx context.Context, code int, text string) error {
	request := format("abort", "exitcode", strconv.Itoa(code), "message", escapeText(text))
	if len(request) > maxRequest {
		request = request[:maxRequest-1]
		if escapes := len(request) - len(bytes.TrimRight(request, `\`)); escapes%2 == 1 {
			request = request[:len(request)-1] // it has lost what it escaped
		}
		request = append(request, '\n')
	}
	if err := c.send(ctx, request); err != nil {
		return fmt.Errorf("pmi: abort: %w", err)
	}
	return nil
}

// Finalize tells the launcher that this rank is done, and closes the connection. A rank that has a Client must finalize it
// before it exits, or the launcher counts it as failed. Calls after Finalize return [ErrClosed].
func (c *Client) Finalize(ctx context.Context) error {
	c.parting.Store(true)
	_, err := c.call(ctx, "finalize_ack", format("finalize"))
	if err != nil {
		return fmt.Errorf("pmi: finalize: %w", err)
	}
	return c.conn.Close()
}

func (c *Client) checkKey(key string) error {
	if err := checkWord("key", key, c.maxKey); err != nil {
		return err
	}
	for i := range len(key) {
		if key[i] == '=' {
			return fmt.Errorf("key %s has an '='", excerpt(key))
		}
	}
	return nil
}

// checkWord checks that a string travels unchanged through every launcher's reading of the wire format. limit is one
// more than its greatest length in bytes.
func checkWord(what, s string, limit int) error {
	if s == "" {
		return fmt.Errorf("%s is empty", what)
	}
	if len(s) >= limit {
		return fmt.Errorf("%s has %d bytes, the launcher takes at most %d: %s", what, len(s), limit-1, excerpt(s))
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || s[i] == '\\' {
			return fmt.Errorf("%s has a character %q that the protocol cannot carry: %s", what, s[i], excerpt(s))
		}
	}
	return nil
}
