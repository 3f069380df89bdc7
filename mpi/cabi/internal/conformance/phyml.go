package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// runPhyML runs Debian's PhyML, which finds the tree by which species have come from each other, and how often parts of it are found again in
// samples of the data: the ranks share these. The trees are to be those over Open MPI.
func runPhyML(ctx context.Context, b *bench) error {
	if err := needs("phyml-mpi", "phyml"); err != nil {
		return err
	}
	return b.likeOpenMPI(ctx, openMPIProgram{
		ranks: 4, command: []string{"phyml-mpi", "-i", "dna", "-b", "8", "--r_seed", "1", "--no_memory_check"},
		input: map[string]string{"dna": alignment(8, 200)},
		result: func(_, folder string) (string, error) {
			best, err := os.ReadFile(filepath.Join(folder, "dna_phyml_tree.txt"))
			if err != nil {
				return "", err
			}
			samples, err := os.ReadFile(filepath.Join(folder, "dna_phyml_boot_trees.txt"))
			if n := strings.Count(string(samples), ";"); err == nil && n != 8 {
				err = fmt.Errorf("phyml-mpi has written %d trees of samples instead of 8", n)
			}
			return string(best) + string(samples), err
		},
	})
}

// alignment has sequences of DNA in which one base in ten differs from that of the species before.
func alignment(species, sites int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d\n", species, sites)
	random := uint32(1)
	below := func(n uint32) uint32 {
		random = random*1664525 + 1013904223
		return random >> 16 % n
	}
	sequence := make([]byte, sites)
	for s := range species {
		for i := range sequence {
			if s == 0 || below(10) == 0 {
				sequence[i] = "ACGT"[below(4)]
			}
		}
		fmt.Fprintf(&text, "species%-4d %s\n", s, sequence)
	}
	return text.String()
}
