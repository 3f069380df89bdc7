// Command pagerank finds the pages of a web that a surfer sees most often who follows links at random. Each rank has the links of
// some of the pages. Ranks may die under mpirun --keep-going: those that are left share the pages anew, and the result is the same.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func main() {
	log.SetFlags(0)
	pages := flag.Int("pages", 2000, "pages of the web")
	kill := flag.Int("kill", -1, "for show, this rank is killed in the tenth step")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		left, seen, err := pagerank(world, *pages, func(step int) error {
			if step == 10 && world.Rank() == *kill {
				self, err := os.FindProcess(os.Getpid())
				if err != nil {
					return err
				}
				return self.Kill()
			}
			return nil
		})
		if err == nil && left.Rank() == 0 {
			first := 0
			for page := range seen {
				if seen[page] > seen[first] {
					first = page
				}
			}
			fmt.Printf("%d pages on %d ranks, %d in the end: page %d is seen most, %.4f of the time\n",
				*pages, world.Size(), left.Size(), first, seen[first])
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

// follow is how often the surfer follows a link rather than go to any page.
const follow = 0.85

// pagerank returns how often each page is seen, on all ranks that are left, and the communicator of these. Before, if not nil, is called
// before each step.
func pagerank(world *mpi.Comm, pages int, before func(step int) error) (left *mpi.Comm, seen []float64, err error) {
	seen = make([]float64, pages)
	for page := range seen {
		seen[page] = 1 / float64(pages)
	}
	left, mine := world, load(world, pages)
	for step, change := 1, 1.0; change > 1e-12; step++ {
		if before != nil {
			if err := before(step); err != nil {
				return nil, nil, err
			}
		}
		next := make([]float64, pages)
		err := mpi.Allreduce(left, mine.follow(seen), next, mpi.Sum)
		// If it has failed on one rank none uses what it may have computed: all have the same seen, and do the step again.
		survivors, done, err := agree(left, err)
		if err != nil {
			return nil, nil, err
		}
		if survivors != left {
			left, mine = survivors, load(survivors, pages)
		}
		if !done {
			continue
		}
		change = 0
		for page := range next {
			next[page] = (1-follow)/float64(pages) + follow*next[page]
			change += math.Abs(next[page] - seen[page])
		}
		seen = next
	}
	return left, seen, nil
}

// agree has all living ranks agree whether all have done a step, which went as err says. It returns the communicator to go on with: that
// of the survivors, if ranks have died.
func agree(c *mpi.Comm, err error) (survivors *mpi.Comm, done bool, _ error) {
	flag := uint64(1)
	if err != nil {
		if !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrRevoked) {
			return nil, false, err
		}
		flag = 0
		if err := c.Revoke(); err != nil { // others may wait for this rank in the step
			return nil, false, err
		}
	}
	flag, err = c.Agree(flag)
	if err == nil && flag == 1 {
		return c, true, nil
	}
	if err != nil && !errors.Is(err, mpi.ErrProcFailed) {
		return nil, false, err
	}
	survivors, err = c.Shrink()
	return survivors, flag == 1, err
}

// part is the links of some pages.
type part struct {
	first int
	links [][]int // of each page from first on, the pages that it links to
}

// load gets the links of the pages of this rank. Other programs would read them from a file.
func load(c *mpi.Comm, pages int) part {
	p := part{first: pages * c.Rank() / c.Size()}
	for page := p.first; page < pages*(c.Rank()+1)/c.Size(); page++ {
		random := rand.New(rand.NewPCG(uint64(page), 0))
		links := make([]int, 1+random.IntN(9))
		for i := range links {
			links[i] = random.IntN(1 + random.IntN(pages)) // the first ones are the most popular
		}
		p.links = append(p.links, links)
	}
	return p
}

// follow returns how often each page is seen after one step from the pages of the part.
func (p part) follow(seen []float64) []float64 {
	next := make([]float64, len(seen))
	for i, links := range p.links {
		for _, to := range links {
			next[to] += seen[p.first+i] / float64(len(links))
		}
	}
	return next
}
