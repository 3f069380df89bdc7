package core

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// giveUp is what Must panics with in a rank of RunLocal: the rank ends with the error alone, without a stack.
type giveUp struct{ error }

func (g giveUp) Unwrap() error { return g.error }

// localRanks counts the ranks of RunLocal that run in this process.
var localRanks atomic.Int64

// Must ends the job if err is not nil: the process says err on standard error and to the launcher, and ends with status 1. A rank of
// RunLocal, which is no process, ends with err.
func Must(err error) {
	if err == nil {
		return
	}
	if localRanks.Load() > 0 {
		panic(giveUp{err})
	}
	fmt.Fprintln(os.Stderr, err)
	if comm := resident.Load(); comm != nil {
		world := comm.View(context.Background())
		why, _, _ := strings.Cut(err.Error(), "\n")
		_ = world.AbortSaying("mpi.Must", 1, why)
	}
	os.Exit(1)
}

// givenUpBy returns the error with which Must has ended a rank, nil if v is another panic.
func givenUpBy(v any) error {
	var g giveUp
	if err, ok := v.(error); ok && errors.As(err, &g) {
		return g.error
	}
	return nil
}
