// Command tune writes the table by which package schedule chooses algorithms, from virtual time: run "go generate" in that
// package, or "make tune". It takes a few minutes.
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/tuning"
)

func main() {
	to := flag.String("o", "table.go", "the file to write")
	flag.Parse()
	if err := tune(*to); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func tune(to string) error {
	sections, errs := make([]string, len(tuning.Operations)), make([]error, len(tuning.Operations))
	var all sync.WaitGroup
	for i, o := range tuning.Operations {
		all.Go(func() {
			rows, err := o.Rows()
			sections[i], errs[i] = o.Source(rows), err
			fmt.Fprintf(os.Stderr, "%v: %d rows\n", o.Operation, len(rows))
		})
	}
	all.Wait()
	source := tuning.Header
	for i, section := range sections {
		if errs[i] != nil {
			return errs[i]
		}
		source += section
	}
	return os.WriteFile(to, []byte(source+"}\n"), 0o644)
}
