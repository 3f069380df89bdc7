package farm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// MarshalBinary and UnmarshalBinary keep the results.
func (p *powers) MarshalBinary() ([]byte, error)     { return json.Marshal(p.results) }
func (p *powers) UnmarshalBinary(state []byte) error { return json.Unmarshal(state, &p.results) }

func (p *powers) keep(file string, results int) *farm.Checkpoint {
	return &farm.Checkpoint{File: file, Job: "powers", State: p, Results: results}
}

// resume runs the job until the manager has collected so many results, where it dies if that is not negative.
func resume(t *testing.T, file string, tasks, until int) (report farm.Report, done int) {
	t.Helper()
	var all [4]*powers
	err := mpi.RunLocal(len(all), func(world *mpi.Comm) error {
		p := newPowers(tasks)
		all[world.Rank()] = p
		o := p.options(2, 3)
		collected := 0
		if world.Rank() == 0 {
			o.Checkpoint = p.keep(file, 1)
			p.collect = func() error {
				if collected == until {
					runtime.Goexit()
				}
				collected++
				return nil
			}
		}
		r, err := farm.Run(t.Context(), world, p.job(), o)
		if world.Rank() == 0 && err == nil {
			report = r
			p.check(t)
		}
		if until >= 0 && errors.Is(err, mpi.ErrProcFailed) {
			err = nil
		}
		return err
	})
	if until >= 0 {
		require.ErrorContains(t, err, "rank 0: fn ended its goroutine")
	} else {
		require.NoError(t, err)
	}
	for _, p := range all {
		done += int(p.done.Load())
	}
	return report, done
}

func TestJobGoesOnFromItsCheckpoint(t *testing.T) {
	const tasks = 100
	file := filepath.Join(t.TempDir(), "checkpoint")
	restored := 0
	for range 3 {
		resume(t, file, tasks, 20)
	}
	report, done := resume(t, file, tasks, -1)
	restored = report.Restored
	assert.Positive(t, restored)
	assert.LessOrEqual(t, restored, 60)
	assert.Equal(t, tasks-restored, done, "no task is done that has a result")

	report, done = resume(t, file, tasks, -1)
	assert.Equal(t, tasks, report.Restored, "all is there")
	assert.Zero(t, done)
	names, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	for _, name := range names { // a manager that dies in a write leaves one that is not used
		assert.Contains(t, []string{"checkpoint", ".checkpoint"}, name.Name()[:min(len(name.Name()), 11)])
	}
}

// A write that was cut off anywhere leaves a file with another name, or none; a file that was damaged is refused.
func TestDamagedCheckpointIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "checkpoint")
	resume(t, file, 20, -1)
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	try := func(content []byte) error {
		require.NoError(t, os.WriteFile(file, content, 0o600))
		return alone(t, newPowers(20), func(p *powers) *farm.Checkpoint { return p.keep(file, 1) })
	}
	require.NoError(t, try(good))
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		damaged := slices.Clone(good)
		damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
		assert.ErrorContains(t, try(damaged), "farm: checkpoint "+file+": the file is ")
		assert.ErrorContains(t, try(good[:r.IntN(len(good))]), "farm: checkpoint "+file+": the file is ")
	}
}

// alone runs a job on one rank with a checkpoint.
func alone(t *testing.T, p *powers, keep func(p *powers) *farm.Checkpoint) error {
	var failed error
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		o := p.options(1, 1)
		o.Checkpoint = keep(p)
		_, failed = farm.Run(t.Context(), world, p.job(), o)
		return nil
	}))
	return failed
}

func TestCheckpointOfAnotherJobIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	require.NoError(t, alone(t, newPowers(20), func(p *powers) *farm.Checkpoint { return p.keep(file, 1) }))
	before, err := os.ReadFile(file)
	require.NoError(t, err)

	assert.EqualError(t, alone(t, newPowers(20), func(p *powers) *farm.Checkpoint {
		c := p.keep(file, 1)
		c.Job = "cubes"
		return c
	}), "farm: checkpoint "+file+`: the file is of the job "powers", not of "cubes": remove it, or name another`)
	assert.EqualError(t, alone(t, newPowers(21), func(p *powers) *farm.Checkpoint { return p.keep(file, 1) }),
		"farm: checkpoint "+file+`: the file is of 20 tasks, not of 21: remove it, or name another`)
	assert.ErrorContains(t, alone(t, newPowers(20), func(p *powers) *farm.Checkpoint { return &farm.Checkpoint{File: file} }), "there is no State")

	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, after), "it is as it was")
}

func TestCheckpointThatCannotBeWrittenIsSaidAtOnce(t *testing.T) {
	dir := t.TempDir()
	p := newPowers(5)
	err := alone(t, p, func(p *powers) *farm.Checkpoint { return p.keep(filepath.Join(dir, "missing", "checkpoint"), 1) })
	assert.ErrorContains(t, err, "no such file or directory")
	err = alone(t, p, func(p *powers) *farm.Checkpoint { return p.keep(dir, 1) })
	assert.ErrorContains(t, err, "no regular file")
	assert.Zero(t, p.done.Load())
}

// What a link names is left alone.
func TestCheckpointFollowsNoLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	dir := t.TempDir()
	precious, link := filepath.Join(dir, "precious"), filepath.Join(dir, "checkpoint")
	require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o600))
	require.NoError(t, os.Symlink(precious, link))
	p := newPowers(5)
	assert.Error(t, alone(t, p, func(p *powers) *farm.Checkpoint { return p.keep(link, 1) }))
	left, err := os.ReadFile(precious)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(left))
}

// A checkpoint is written in the end, too, and when a task has failed.
func TestCheckpointHasWhatAFailedFarmHasCollected(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	p := newPowers(20)
	p.do = func(_ context.Context, i int) error {
		if i == 7 {
			return errors.New("broken")
		}
		return nil
	}
	keep := func(p *powers) *farm.Checkpoint { return p.keep(file, 1000) }
	require.ErrorContains(t, alone(t, p, keep), "farm: task 7: broken")
	again := newPowers(20)
	require.NoError(t, alone(t, again, keep))
	again.check(t)
	assert.EqualValues(t, 13, again.done.Load())
}

func TestMapKeepsItsResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	numbers := []int{1, 2, 3, 4, 5, 6}
	for _, broken := range []bool{true, false} {
		require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
			squares, err := farm.Map(t.Context(), world, numbers, func(_ context.Context, n int) (int, error) {
				if n == 4 && broken {
					return 0, errors.New("broken")
				}
				assert.Equal(t, !broken, n >= 4, fmt.Sprint(n))
				return n * n, nil
			}, farm.Options{Checkpoint: &farm.Checkpoint{File: file, Job: "squares"}})
			if !broken {
				assert.Equal(t, []int{1, 4, 9, 16, 25, 36}, squares)
				return err
			}
			assert.ErrorContains(t, err, "broken")
			return nil
		}))
	}
}
