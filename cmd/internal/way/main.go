// Command way counts the functions of this library that a message of 8 bytes passes between mpi.Send and mpi.Recv, or prints
// them in order, which shows a newcomer the way of a message: "make way". Two ranks, each a process, send each other such
// messages, one at a time, after some hundred others; rank 0 notes its calls. For that the library is copied, and each
// function of the copy notes its calls, also one that the compiler would inline. Functions of Go's library are not counted.
//
// A message's way has four parts. Down: from the call of Send to the store or the system call that hands the message over,
// with what is called for these. What Send does after that. What Recv does until it first looks for messages. And up: from the
// look that finds the message to Recv's return. The most frequent way is shown: in others a timer runs out.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// designs are what carries messages: shared memory, and the transports without it. Kernel SCTP is not everywhere.
var designs = []string{"shm", "tcp-perpair", "sctp-engine", "tcp-pertrc", "sctp-pertrc"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("way: ")
	checkout := flag.String("checkout", ".", "the `folder` of the library that is traced, such as another commit's work tree")
	listed := flag.Bool("functions", false, "print the functions in the order of their calls, indented by depth")
	messages := flag.Int("messages", 100, "how many messages are traced, of which the most frequent way is shown")
	spin := flag.Bool("spin", false, "trace messages that come soon after others, so that the receiver spins; otherwise each comes after a pause, and the receiver blocks")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: way [flag]... [design]...\n\nThe designs are %s; all if none is given. "+
			"SCTPMPI_ENCRYPT, SCTPMPI_PROGRESS and the like hold.\n\n", strings.Join(designs, ", "))
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		designs = flag.Args()
	}
	if err := trace(os.Stdout, *checkout, designs, *messages, *listed, *spin); err != nil {
		log.Fatal(err)
	}
}

// trace prints the ways of a message over some designs.
func trace(out io.Writer, checkout string, designs []string, messages int, listed, spin bool) error {
	checkout, err := filepath.Abs(checkout)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "way")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := build(checkout, dir)
	if err != nil {
		return err
	}
	var ways []way
	for _, design := range designs {
		t, err := p.run(design, messages, spin)
		if err != nil {
			return err
		}
		w, err := t.way(p.functions)
		if err != nil {
			return fmt.Errorf("%s: %w", design, err)
		}
		ways = append(ways, w)
	}
	if listed {
		for i, w := range ways {
			list(out, designs[i], w)
		}
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "\tcalls\tfunctions\tpackages\tchanges of package\n")
	for i, w := range ways {
		row := func(name string, p part) {
			c := p.count()
			fmt.Fprintf(table, "%s, %s\t%d\t%d\t%d\t%d\n", designs[i], name, c.calls, c.functions, c.packages, c.changes)
		}
		row("down", w.down)
		row("all of Send", slices.Concat(w.down, w.after))
		row("Recv before it looks", w.before)
		row("up", w.up)
	}
	return table.Flush()
}

// list prints the functions of a way, a line for each call, with the file at the first.
func list(out io.Writer, design string, w way) {
	seen := make(map[function]bool)
	for _, p := range []struct {
		name  string
		steps part
	}{
		{"down: from Send to the hand-over", w.down}, {"Send, after it", w.after},
		{"Recv, before it looks", w.before}, {"up: from the look that finds the message to Recv's return", w.up},
	} {
		c := p.steps.count()
		fmt.Fprintf(out, "%s, %s: %d calls of %d functions\n\n", design, p.name, c.calls, c.functions)
		for _, s := range p.steps {
			fmt.Fprintf(out, "  %*s%s", 2*s.depth, "", s.function)
			if !seen[s.function] {
				fmt.Fprintf(out, "  %s/%s", s.pkg, s.file)
				seen[s.function] = true
			}
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out)
	}
}
