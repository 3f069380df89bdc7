package search

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Key names the search: all that its hits depend on, and how it is cut into tasks. Rank 0 knows it.
func (j *Job) Key() string {
	h := sha256.New()
	for _, set := range []*Set{j.queries, j.database} {
		fmt.Fprintln(h, len(set.Sequences))
		for i, sequence := range set.Sequences {
			fmt.Fprintf(h, "%q %d\n", set.IDs[i], len(sequence))
			h.Write(sequence)
		}
	}
	o := j.options
	return fmt.Sprintf("search %x top %d gap %d+%d block %d", h.Sum(nil)[:8], o.Top, o.Gaps.Open, o.Gaps.Extend, o.Block)
}

// MarshalBinary is the hits so far: of each query their number, and themselves.
func (j *Job) MarshalBinary() (b []byte, err error) {
	for _, hits := range j.best {
		b = binary.AppendUvarint(b, uint64(len(hits)))
		if b, err = binary.Append(b, binary.LittleEndian, hits); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (j *Job) UnmarshalBinary(b []byte) error {
	for q := range j.best {
		count, n := binary.Uvarint(b)
		if n <= 0 || count > uint64(j.options.Top) {
			return errors.New("the hits are damaged")
		}
		b = b[n:]
		j.best[q] = make([]Hit, count)
		n, err := binary.Decode(b, binary.LittleEndian, j.best[q])
		if err != nil {
			return fmt.Errorf("the hits are damaged: %w", err)
		}
		b = b[n:]
		for _, hit := range j.best[q] {
			if int(hit.Query) != q || hit.Target < 0 || int(hit.Target) >= len(j.targets) {
				return errors.New("the hits are of other sequences")
			}
		}
	}
	return nil
}
