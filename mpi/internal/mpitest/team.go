package mpitest

import (
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A team is a communicator that is made between messages, by Split, Create, or as a topology. Its ranks do tasks on it, several
// at a time, and free it.
type team struct {
	kind         teamKind
	colors, keys []int // of Split; Create takes the ranks of color 0
	seed         uint64
	tasks        [][]task // of the ranks of each color
}

type teamKind int

const (
	bySplit teamKind = iota
	byCreate
	byTopology
	teamKinds
)

// team returns a random one of ranks of a communicator of so many.
func (g *generator) team(size int) *team {
	p := &team{kind: teamKind(g.IntN(int(teamKinds))), seed: g.Uint64(), colors: make([]int, size), keys: make([]int, size)}
	sizes := []int{0, 0}
	if p.kind == byTopology {
		sizes = []int{len(p.arrangement(size).From)}
	} else {
		for rank := range size {
			p.colors[rank], p.keys[rank] = g.IntN(2), g.IntN(4)
			sizes[p.colors[rank]]++
		}
	}
	if p.kind == byCreate {
		sizes[1] = 0
	}
	for _, n := range sizes {
		var tasks []task
		if n > 0 {
			all := g.collectives(n, 1+g.IntN(3))
			for i := range all {
				tasks = append(tasks, &all[i])
			}
			if p.kind == byTopology {
				for range 1 + g.IntN(3) {
					tasks = append(tasks, &neighborhood{team: p, size: size, seed: g.Uint64(), length: g.IntN(1 << g.IntN(13))})
				}
			}
			g.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
		}
		p.tasks = append(p.tasks, tasks)
	}
	return p
}

// arrangement is the topology. It follows from the seed.
func (p *team) arrangement(size int) Arrangement {
	return RandomArrangement(rand.New(rand.NewPCG(p.seed, 2)), size)
}

// stages is how many there are: the communicator is made and freed, and between these each task has its first stage, then each
// its second, and so on.
func (p *team) stages() int { return 2 + p.inner() }

func (p *team) inner() (most int) {
	for _, tasks := range p.tasks {
		for _, t := range tasks {
			most = max(most, t.stages())
		}
	}
	return most
}

func (p *team) begin(c *mpi.Comm) []func() error {
	var made *mpi.Comm // nil: this rank is in none
	var parts [][]func() error
	all := []func() error{func() (err error) {
		if made, err = p.make(c); made == nil || err != nil {
			return err
		}
		for _, t := range p.tasks[p.colors[c.Rank()]] {
			parts = append(parts, t.begin(made))
		}
		return nil
	}}
	for i := range p.inner() {
		all = append(all, func() error {
			for _, stages := range parts {
				if i < len(stages) {
					if err := stages[i](); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return append(all, func() error {
		if made == nil {
			return nil
		}
		return made.Free()
	})
}

// make makes the communicator.
func (p *team) make(c *mpi.Comm) (*mpi.Comm, error) {
	switch p.kind {
	case bySplit:
		return c.Split(p.colors[c.Rank()], p.keys[c.Rank()])
	case byTopology:
		a := p.arrangement(c.Size())
		return a.Create(c)
	}
	var ranks []int
	for rank, color := range p.colors {
		if color == 0 {
			ranks = append(ranks, rank)
		}
	}
	group, err := c.Group().Include(ranks...)
	if err != nil {
		return nil, err
	}
	return c.Create(group)
}
