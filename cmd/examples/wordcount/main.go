// Command wordcount counts the words of a text. Rank 0 deals out its lines; each
// rank counts those of its own, and sends each word's count to the rank that the
// word belongs to, which adds them up. What goes between ranks are Go values as
// they are: slices of strings, and maps.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func main() {
	log.SetFlags(0)
	err := mpi.Run(func(world *mpi.Comm) error {
		var lines []string
		if world.Rank() == 0 { // others may have no standard input, or another one
			lines = mpi.Must1(read(os.Stdin))
		}
		counts := count(world, lines)
		if world.Rank() > 0 {
			return nil
		}
		words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
		})
		for _, word := range words[:min(5, len(words))] {
			fmt.Printf("%4d %s\n", counts[word], word)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}

func read(r io.Reader) (lines []string, err error) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines, s.Err()
}

// count returns at rank 0 how often each word is in its lines. The lines of
// other ranks are not used.
func count(world *mpi.Comm, lines []string) map[string]int {
	size := world.Size()
	shares := make([][]string, size)
	for rank := range shares {
		shares[rank] = lines[len(lines)*rank/size : len(lines)*(rank+1)/size]
	}
	lines = mpi.Must1(mpi.ScatterObjects(world, shares, 0))

	// Words are divided among the ranks by their hash.
	parts := make([]map[string]int, size)
	for rank := range parts {
		parts[rank] = make(map[string]int)
	}
	for _, line := range lines {
		notInWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		for _, word := range strings.FieldsFunc(strings.ToLower(line), notInWord) {
			hash := fnv.New32a()
			hash.Write([]byte(word))
			parts[int(hash.Sum32()%uint32(size))][word]++
		}
	}
	mine := make(map[string]int)
	for _, part := range mpi.Must1(mpi.AlltoallObjects(world, parts)) {
		for word, n := range part {
			mine[word] += n
		}
	}

	all := make(map[string]int)
	for _, part := range mpi.Must1(mpi.GatherObjects(world, mine, 0)) { // no word is in two of them
		maps.Copy(all, part)
	}
	return all
}
