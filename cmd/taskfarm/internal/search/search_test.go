package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/align"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/fasta"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

var blast = Options{Gaps: align.Gaps{Open: 11, Extend: 1}, Top: 5, Block: MinBlock}

// proteins are every n-th of the queries and of the database of the program.
func proteins(t *testing.T, n int) (queries, database *Set) {
	every := func(name string) *Set {
		records, err := fasta.ReadFile("../../data/" + name)
		require.NoError(t, err)
		var chosen []fasta.Record
		for i := 0; i < len(records); i += n {
			chosen = append(chosen, records[i])
		}
		return NewSet(chosen)
	}
	return every("uniprot-query-small.fasta.gz"), every("uniprot-db-small.fasta.gz")
}

// set makes a set of sequences named by their index.
func set(sequences ...string) *Set {
	var records []fasta.Record
	for i, s := range sequences {
		records = append(records, fasta.Record{ID: fmt.Sprint(i), Sequence: []byte(s)})
	}
	return NewSet(records)
}

// hits are the results of a search on some ranks.
func hits(t *testing.T, queries, database *Set, o Options, ranks, slots int) string {
	var tsv bytes.Buffer
	require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
		q, d := queries, database
		if world.Rank() != 0 {
			q, d = nil, nil
		}
		q, err := Share(t.Context(), world, q)
		if err != nil {
			return err
		}
		if d, err = Share(t.Context(), world, d); err != nil {
			return err
		}
		job := NewJob(q, d, o)
		if _, err := job.Run(t.Context(), world, farm.Options{Slots: slots, Fanout: 1 + slots%3}); err != nil {
			return err
		}
		if world.Rank() == 0 {
			return job.WriteTSV(&tsv)
		}
		return nil
	}))
	return tsv.String()
}

// The expected hits are those of the library parasail 2.6.
func TestHitsAreThoseOfAnotherProgram(t *testing.T) {
	want, err := os.ReadFile("testdata/every-eighth.tsv")
	require.NoError(t, err)
	queries, database := proteins(t, 8)
	o := blast
	o.Block = MaxBlock
	assert.Equal(t, string(want), hits(t, queries, database, o, 1, 1))
}

func TestHitsDoNotDependOnHowTheWorkIsDone(t *testing.T) {
	queries, database := proteins(t, 40)
	want := hits(t, queries, database, blast, 1, 1)
	require.NotEmpty(t, want)
	for _, ranks := range []int{2, 4, 9} {
		for i, slots := range []int{1, 4, 64} {
			o := blast
			o.Block = []int64{MinBlock, 1_000_000, MaxBlock}[(i+ranks)%3]
			assert.Equal(t, want, hits(t, queries, database, o, ranks, slots), "%d ranks, %d slots, block %d", ranks, slots, o.Block)
		}
	}
}

func TestTiesAreInTheOrderOfTheDatabase(t *testing.T) {
	o := blast
	o.Top = 2
	// The longest target is searched first, and must not come first.
	assert.Equal(t, "query\tscore\ttarget\tquery_end\ttarget_end\n0\t33\t1\t3\t3\n0\t33\t2\t3\t6\n",
		hits(t, set("WWW"), set("WW", "WWW", "AAAWWW", "GGGGGGGWWW"), o, 2, 1))
}

func TestQueryThatNothingIsLike(t *testing.T) {
	job := NewJob(set("WWW", "CCC"), set("AAA", "WAW"), blast)
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := job.Run(t.Context(), world, farm.Options{})
		return err
	}))
	var table strings.Builder
	require.NoError(t, job.WriteTable(&table))
	assert.Equal(t, strings.Join([]string{
		"QUERY  SCORE  TARGET  QUERY END  TARGET END",
		"0      19     1       3          3",
		"1      -      no target is alike",
		"",
	}, "\n"), table.String())
}

func TestContextEndsASearchBetweenTasks(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	job := NewJob(set("WWW", "CCC"), set("AAA", "WAW"), blast)
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := job.Run(ctx, world, farm.Options{Progress: func(p farm.Progress) {
			if p.Done == 1 {
				cancel(enough)
			}
		}})
		return err
	})
	assert.ErrorIs(t, err, enough)
}

func TestOptionsOutOfRangeAreNamed(t *testing.T) {
	assert.NoError(t, blast.Check())
	for want, change := range map[string]func(o *Options){
		"top 0 is not from 1 to 1000":                            func(o *Options) { o.Top = 0 },
		"top 1001 is not from 1 to 1000":                         func(o *Options) { o.Top = MaxTop + 1 },
		"block 9999 is not from 10000 to 1000000000 cells":       func(o *Options) { o.Block = MinBlock - 1 },
		"block 1000000001 is not from 10000 to 1000000000 cells": func(o *Options) { o.Block = MaxBlock + 1 },
		"gap extend penalty 0 is not from 1 to 1000":             func(o *Options) { o.Gaps.Extend = 0 },
	} {
		o := blast
		change(&o)
		assert.EqualError(t, o.Check(), want)
	}
}
