package sockettest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// recorder stands in for a *testing.T whose failure is no failure.
type recorder struct {
	testing.TB // nil: what is not here is not called

	mu           sync.Mutex
	said, logged []string
	cleanups     []func()
}

// check runs a test and its cleanup.
func (r *recorder) check(s *suite, test test) {
	done := make(chan struct{})
	go func() { // which FailNow ends
		defer close(done)
		defer func() {
			for _, f := range slices.Backward(r.cleanups) {
				f()
			}
		}()
		test.check(s)
	}()
	<-done
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logged = append(r.logged, fmt.Sprintf(format, args...))
}

func (r *recorder) FailNow() { runtime.Goexit() }

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.said) > 0
}

func (r *recorder) Cleanup(f func())         { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Context() context.Context { return context.Background() }
func (r *recorder) Helper()                  {}
func (r *recorder) Name() string             { return "recorded" }
