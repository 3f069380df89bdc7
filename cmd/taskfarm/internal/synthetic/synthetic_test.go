package synthetic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

func TestChecksumIsThatOfTheOptionsAlone(t *testing.T) {
	o := Options{Tasks: 60, TaskSize: 1001, ResultSize: 70}
	checksums := map[[32]byte]bool{}
	for _, ranks := range []int{1, 2, 4} {
		for _, slots := range []int{1, 4} {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				job := New(o)
				if _, err := job.Run(t.Context(), world, farm.Options{Slots: slots, Fanout: 3}); err != nil {
					return err
				}
				if world.Rank() == 0 {
					checksums[job.Checksum()] = true
				}
				return nil
			}))
		}
	}
	assert.Len(t, checksums, 1)
}

func TestEachByteOfAPatternIsChecked(t *testing.T) {
	for _, size := range []int64{8, 9, 15, 16, 17, 64, 100} {
		data := appendPattern(nil, taskSeed, 7, size)
		require.Len(t, data, int(size))
		number, err := checkPattern(data, taskSeed, size)
		require.NoError(t, err)
		assert.EqualValues(t, 7, number)
		for i := 8; i < len(data); i++ {
			damaged := slices.Clone(data)
			damaged[i] ^= 1
			_, err := checkPattern(damaged, taskSeed, size)
			assert.ErrorContains(t, err, "7 is damaged", "byte %d of %d", i, size)
		}
		_, err = checkPattern(data[:size-1], taskSeed, size)
		assert.EqualError(t, err, fmt.Sprintf("of %d bytes, not %d", size-1, size))
		if size > 8 {
			_, err = checkPattern(data, resultSeed, size)
			assert.Error(t, err, "a task is no result")
			data[0]++
			_, err = checkPattern(data, taskSeed, size)
			assert.ErrorContains(t, err, "8 is damaged", "another task's data")
		}
	}
}

func TestWrongResultsAreNoticed(t *testing.T) {
	job := New(Options{Tasks: 3, TaskSize: 8, ResultSize: 20})
	job.checksums = make([]uint32, 3)
	require.NoError(t, job.collect(2, appendPattern(nil, resultSeed, 2, 20)))
	assert.EqualError(t, job.collect(1, appendPattern(nil, resultSeed, 2, 20)), "result of task 2 in place of 1")
	assert.EqualError(t, job.collect(1, make([]byte, 19)), "result of 19 bytes, not 20")
	_, err := job.do(t.Context(), make([]byte, 9), nil)
	assert.EqualError(t, err, "task of 9 bytes, not 8")
}

func TestContextEndsComputing(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	job := New(Options{Tasks: 1, TaskSize: 8, ResultSize: 8, Compute: MaxCompute})
	_, err := job.do(ctx, job.task(nil, 0), nil)
	assert.ErrorIs(t, err, enough)
}

func TestOptionsOutOfRangeAreNamed(t *testing.T) {
	for want, o := range map[string]Options{
		"":                                   {Tasks: MaxTasks, TaskSize: MaxSize, ResultSize: MinSize, Compute: MaxCompute},
		"0 tasks are not from 1 to 10000000": {Tasks: 0, TaskSize: 8, ResultSize: 8},
		"a task size of 7 bytes is not from 8 to 1073741824":            {Tasks: 1, TaskSize: 7, ResultSize: 8},
		"a result size of 1073741825 bytes is not from 8 to 1073741824": {Tasks: 1, TaskSize: 8, ResultSize: MaxSize + 1},
		"a computing time of -1s is not from 0 to 1h0m0s":               {Tasks: 1, TaskSize: 8, ResultSize: 8, Compute: -time.Second},
	} {
		if err := o.Check(); want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}
