package main

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJobLeavesNoProcessBehind(t *testing.T) {
	o, err := runJob(t.Context(), t.TempDir(), os.Environ(), []string{"sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!; exit 3"}, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, 3, o.status)
	assert.False(t, o.timedOut)
	pid, err := strconv.Atoi(strings.TrimSpace(o.output))
	require.NoError(t, err)
	assert.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
}

func TestJobEndsAtItsLimit(t *testing.T) {
	o, err := runJob(t.Context(), t.TempDir(), os.Environ(), []string{"sleep", "1000"}, -patience)
	require.NoError(t, err)
	assert.True(t, o.timedOut)
	assert.Equal(t, -1, o.status)
}

func TestJobCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := runJob(ctx, t.TempDir(), os.Environ(), []string{"sleep", "1000"}, time.Minute)
	assert.Error(t, err)
}

func TestOutputIsBounded(t *testing.T) {
	var h head
	for range 3 {
		n, err := h.Write(make([]byte, mostOutput))
		require.NoError(t, err)
		assert.Equal(t, mostOutput, n)
	}
	assert.Equal(t, mostOutput, h.Len())
}
