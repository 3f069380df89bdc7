package pmix

/*
#cgo CFLAGS: -std=gnu11 -Wall -Wextra -Werror
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "library.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// client is a rank's connection to its launcher, by the library. Calls may be made by several goroutines at once.
//
// A call of the library cannot be given up. When the context of one ends, its thread goes on with it, and all further calls but
// Abort fail with the same error.
type client struct {
	nspace     string // the name of the job
	rank, size int

	mu     sync.Mutex
	broken error      // why no further call is made
	watch  []*os.File // a pipe: what is read from, what the library writes to
}

// opened is set once this process has begun to speak PMIx: it does so once.
var opened atomic.Bool

// Open connects to the PMIx server that the environment names. It returns nil and no error if there is none.
func Open(ctx context.Context) (startup.Launcher, error) {
	found, err := named(os.Environ())
	if !found || err != nil {
		return nil, err
	}
	if rpi.Privileged() {
		return nil, errPrivileged
	}
	if opened.Swap(true) {
		return nil, errors.New("pmix: this process has connected to its launcher before")
	}
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	if why := C.pmix_load(name); why != nil {
		return nil, missing(C.GoString(why))
	}
	c := new(client)
	if err := c.call(ctx, "init", c.init); err != nil {
		return nil, err
	}
	if c.rank >= c.size {
		return nil, fmt.Errorf("pmix: init: the launcher says that this is rank %d of %d", c.rank, c.size)
	}
	return c, nil
}

func (c *client) init() C.int {
	var nspace [256]C.char
	var rank, size C.uint32_t
	status := C.pmix_init(&nspace[0], &rank)
	if status == 0 {
		status = C.pmix_job_size(&nspace[0], &size)
	}
	c.nspace, c.rank, c.size = C.GoString(&nspace[0]), int(rank), int(size)
	return status
}

// call makes a call of the library, as long as ctx lasts.
func (c *client) call(ctx context.Context, what string, f func() C.int) error {
	if err := c.failure(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	done := make(chan C.int, 1)
	go func() { done <- f() }()
	select {
	case status := <-done:
		return failed(what, status)
	case <-ctx.Done():
		err := fmt.Errorf("pmix: %s: %w", what, context.Cause(ctx))
		c.mu.Lock()
		defer c.mu.Unlock()
		c.broken = err
		return err
	}
}

func (c *client) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken
}

// refusal is the status of a call that has failed.
type refusal C.int

// notFound is that of a key that the rank has not put.
const notFound refusal = -46

// Error is the status in the library's words.
func (r refusal) Error() string {
	return fmt.Sprintf("%s (%d)", C.GoString(C.pmix_error(C.int(r))), int(r))
}

func failed(what string, status C.int) error {
	if status == 0 {
		return nil
	}
	return fmt.Errorf("pmix: %s: %w", what, refusal(status))
}

func (c *client) Rank() int { return c.rank }
func (c *client) Size() int { return c.size }

func (c *client) Put(ctx context.Context, key, value string) error {
	return c.call(ctx, "put "+key, func() C.int {
		k, v := C.CString(key), C.CString(value)
		defer C.free(unsafe.Pointer(k))
		defer C.free(unsafe.Pointer(v))
		return C.pmix_put(k, v)
	})
}

func (c *client) Fence(ctx context.Context) error {
	return c.call(ctx, "fence", func() C.int { return C.pmix_fence() })
}

func (c *client) Get(ctx context.Context, from int, key string) (string, error) {
	var value string // of the call alone until it has ended
	err := c.call(ctx, "get "+key, func() C.int {
		n, k := C.CString(c.nspace), C.CString(key)
		defer C.free(unsafe.Pointer(n))
		defer C.free(unsafe.Pointer(k))
		var text *C.char
		status := C.pmix_get(n, C.uint32_t(from), k, &text)
		if status == 0 {
			value = C.GoString(text)
			C.free(unsafe.Pointer(text))
		}
		return status
	})
	switch {
	case errors.Is(err, notFound):
		return "", fmt.Errorf("%w: %s of rank %d", pmi.ErrKeyNotFound, key, from)
	case err != nil:
		return "", err
	}
	return value, nil
}

// Abort ends the job. Launchers that speak PMIx keep to themselves which rank wanted it and why, so it is said here.
func (c *client) Abort(ctx context.Context, code int, text string) error {
	said := fmt.Sprintf("mpi: rank %d called MPI_Abort(%d)", c.rank, code)
	if text != "" {
		said += ": " + text
	}
	fmt.Fprintln(os.Stderr, said)
	// Also while, and after, another call is given up.
	return new(client).call(ctx, "abort", func() C.int {
		t := C.CString(text)
		defer C.free(unsafe.Pointer(t))
		return C.pmix_abort(C.int(code), t)
	})
}

func (c *client) Finalize(ctx context.Context) error {
	err := c.call(ctx, "finalize", func() C.int { return C.pmix_finalize() })
	if err == nil {
		for _, end := range c.watch { // the library writes no more
			_ = end.Close()
		}
	}
	return err
}

// Watch has gone called when the connection to the server is lost. There are no notices.
func (c *client) Watch(ctx context.Context, gone func(reason error), _ func(what string)) error {
	in, out, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("pmix: %w", err)
	}
	c.watch = []*os.File{in, out}
	go func() {
		if n, _ := in.Read(make([]byte, 1)); n == 1 {
			gone(errors.New("pmix: the connection to the launcher is lost"))
		}
	}()
	return c.call(ctx, "watch", func() C.int { return C.pmix_watch(C.int(out.Fd())) })
}

// The launcher asks nothing, and does not want to know who saw whom fail.
func (c *client) PeerFailed(context.Context, int) error { return nil }
func (c *client) Answer(context.Context, string) error  { return nil }

// AppNum implements startup.Launcher.
func (c *client) AppNum(ctx context.Context) (number int, err error) {
	err = c.call(ctx, "application number", func() C.int {
		n := C.CString(c.nspace)
		defer C.free(unsafe.Pointer(n))
		var of C.uint32_t
		status := C.pmix_app_number(n, C.uint32_t(c.rank), &of)
		number = int(of)
		return status
	})
	if errors.Is(err, notFound) {
		return -1, nil
	}
	return number, err
}

// Hosts asks once for each host of the job. Hosts are numbered in the order of the lowest rank of each.
func (c *client) Hosts(ctx context.Context) []int32 {
	of := make([]string, c.size)
	if c.call(ctx, "hosts", func() C.int { return c.place(of) }) != nil {
		return nil
	}
	numbers := make(map[string]int32)
	hosts := make([]int32, c.size)
	for rank, name := range of {
		if name == "" {
			return nil // the server has not said where it is
		}
		if _, known := numbers[name]; !known {
			numbers[name] = int32(len(numbers))
		}
		hosts[rank] = numbers[name]
	}
	return hosts
}

// place enters the name of each rank's host.
func (c *client) place(of []string) C.int {
	n := C.CString(c.nspace)
	defer C.free(unsafe.Pointer(n))
	var list *C.char
	if status := C.pmix_nodes(n, &list); status != 0 || list == nil {
		return status
	}
	names := C.GoString(list)
	C.free(unsafe.Pointer(list))
	for name := range strings.SplitSeq(names, ",") {
		if status := c.placeAt(n, name, of); status != 0 {
			return status
		}
	}
	return 0
}

// placeAt does so for the ranks of one host.
func (c *client) placeAt(nspace *C.char, name string, of []string) C.int {
	node := C.CString(name)
	defer C.free(unsafe.Pointer(node))
	var ranks *C.uint32_t
	var count C.size_t
	if status := C.pmix_peers(nspace, node, &ranks, &count); status != 0 || ranks == nil {
		return status
	}
	for _, rank := range unsafe.Slice(ranks, count) {
		if int(rank) < len(of) {
			of[rank] = name
		}
	}
	C.free(unsafe.Pointer(ranks))
	return 0
}
