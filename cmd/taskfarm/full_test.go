//go:build !race

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// checksum is that of the search of all the data in the program. The hits, all 320 with
// their scores and ends, are those of the library parasail 2.6.
const checksum = "checksum  fcab67a026429c16\n"

// fewQueries is how many of the program's 64 queries searches have that need not take long, and
// fewChecksum is the checksum of their hits: the first of those 320.
const (
	fewQueries  = 8
	fewChecksum = "checksum  3d2ff7fc15ab09a0\n"
)

// few makes a file of the first queries in a directory.
func few(t *testing.T, dir string) string {
	unzipped, err := gzip.NewReader(bytes.NewReader(embeddedQueries))
	require.NoError(t, err)
	all, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	records := strings.SplitAfterN(string(all), "\n>", fewQueries+1)
	name := filepath.Join(dir, "few.fasta")
	require.NoError(t, os.WriteFile(name, []byte(strings.TrimSuffix(strings.Join(records[:fewQueries], ""), ">")), 0o600))
	return name
}

func TestSearchOfTheDataInTheProgram(t *testing.T) {
	for _, c := range []struct {
		ranks     int
		transport string
		shared    string
		all       bool
	}{
		{3, mpi.DefaultTransport, "auto", true}, // all queries once, as they take four times as long
		{1, mpi.DefaultTransport, "", false}, {3, "sctp-pertrc", "", false}, {3, "tcp-perpair", "off", false},
	} {
		t.Run(fmt.Sprintf("%d ranks over %s, shared memory %s, all queries: %v", c.ranks, c.transport, c.shared, c.all), func(t *testing.T) {
			t.Setenv("SCTPMPI_TRANSPORT", c.transport)
			t.Setenv("SCTPMPI_SHM", c.shared)
			args, want := []string{"search"}, checksum
			if !c.all {
				args, want = append(args, "--query", few(t, t.TempDir())), fewChecksum
			}
			o := taskfarm(t, c.ranks, args...)
			assert.Zero(t, o.status)
			assert.Contains(t, o.stderr, want)
		})
	}
}
