package search

import (
	"context"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/align"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/fasta"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Set is a set of sequences.
type Set struct {
	// IDs are known only to the rank that has read the sequences.
	IDs []string
	// Sequences are in the codes of package align, one after the other in
	// residues.
	Sequences [][]byte
	residues  []byte
}

// NewSet encodes the sequences of records.
func NewSet(records []fasta.Record) *Set {
	s := &Set{IDs: make([]string, len(records))}
	lengths := make([]int32, len(records))
	for i, r := range records {
		s.IDs[i] = r.ID
		lengths[i] = int32(len(r.Sequence))
		s.residues = align.Encode(s.residues, r.Sequence)
	}
	s.cut(lengths)
	return s
}

// cut makes the sequences from the residues.
func (s *Set) cut(lengths []int32) {
	s.Sequences = make([][]byte, len(lengths))
	rest := s.residues
	for i, n := range lengths {
		s.Sequences[i], rest = rest[:n:n], rest[n:]
	}
}

// Residues is the length of all sequences together.
func (s *Set) Residues() int { return len(s.residues) }

// Share broadcasts rank 0's set; s is not used on the others. Collective.
func Share(ctx context.Context, c *mpi.Comm, s *Set) (*Set, error) {
	const root = 0
	c = c.WithContext(ctx)
	var sizes [2]int64
	var lengths []int32
	if c.Rank() == root {
		for _, sequence := range s.Sequences {
			lengths = append(lengths, int32(len(sequence)))
		}
		sizes = [2]int64{int64(len(lengths)), int64(len(s.residues))}
	}
	if err := mpi.Bcast(c, sizes[:], root); err != nil {
		return nil, err
	}
	if c.Rank() != root {
		s = &Set{residues: make([]byte, sizes[1])}
		lengths = make([]int32, sizes[0])
	}
	if err := mpi.Bcast(c, lengths, root); err != nil {
		return nil, err
	}
	if err := mpi.Bcast(c, s.residues, root); err != nil {
		return nil, err
	}
	if c.Rank() != root {
		s.cut(lengths)
	}
	return s, nil
}
