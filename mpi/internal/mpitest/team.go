package mpitest

import (
	"errors"
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A team is a communicator that is made between messages: a duplicate, one of a part of the ranks, one between two parts, one of
// both of these, or a topology. Its ranks do tasks on it, several at a time, and free it.
type team struct {
	kind         teamKind
	colors, keys []int // of Split; Create and CreateGroup take the ranks of color 0
	seed         uint64
	tasks        [][]task // of the ranks of each color
}

type teamKind int

const (
	byDup teamKind = iota
	bySplit
	byCreate
	byGroup
	byBridge // CreateIntercomm
	byMerge
	byTopology
)

// someKinds are kinds of teams as often as a program should have them.
var someKinds = []teamKind{byDup, bySplit, byCreate, byGroup, byBridge, byBridge, byBridge, byMerge, byTopology, byTopology}

// team returns a random one of ranks of a communicator of so many.
func (g *generator) team(size int) *team {
	p := &team{kind: someKinds[g.IntN(len(someKinds))], seed: g.Uint64(), colors: make([]int, size), keys: make([]int, size)}
	sizes := [2]int{}
	for rank := range size {
		p.colors[rank], p.keys[rank] = g.IntN(2), g.IntN(4)
		sizes[p.colors[rank]]++
	}
	if sizes[0]*sizes[1] == 0 && (p.kind == byBridge || p.kind == byMerge) { // there are no two parts
		p.kind = byDup
	}
	switch p.kind {
	case byBridge:
		both := g.crossings(sizes, 2+g.IntN(6))
		p.tasks = both[:]
		return p
	case byTopology:
		sizes = [2]int{len(p.arrangement(size).From)}
	case byDup, byMerge:
		sizes = [2]int{size}
	case byCreate, byGroup:
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
					tasks = append(tasks, &neighborhood{team: p, size: size, seed: g.Uint64(), form: form(g.IntN(int(forms))), length: g.IntN(1 << g.IntN(13))})
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
		for _, t := range p.tasks[p.color(c.Rank())] {
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

// color is which tasks a rank does.
func (p *team) color(rank int) int {
	switch p.kind {
	case byDup, byMerge, byTopology:
		return 0
	}
	return p.colors[rank]
}

// make makes the communicator.
func (p *team) make(c *mpi.Comm) (*mpi.Comm, error) {
	switch p.kind {
	case byDup:
		return duplicate(c, p.seed)
	case bySplit:
		return c.Split(p.colors[c.Rank()], p.keys[c.Rank()])
	case byTopology:
		a := p.arrangement(c.Size())
		return a.Create(c)
	case byBridge:
		return p.bridge(c)
	case byMerge:
		inter, err := p.bridge(c)
		if err != nil {
			return nil, err
		}
		made, err := inter.Merge(p.colors[c.Rank()] == int(p.seed%2))
		return made, errors.Join(err, inter.Free())
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
	if p.kind == byCreate {
		return c.Create(group)
	}
	if p.colors[c.Rank()] != 0 {
		return nil, nil
	}
	return c.CreateGroup(group, int(p.seed%1000))
}

// duplicate is Dup, or Idup.
func duplicate(c *mpi.Comm, seed uint64) (*mpi.Comm, error) {
	if seed%2 == 0 {
		return c.Dup()
	}
	made, request, err := c.Idup()
	if err == nil {
		_, err = completeBy(int(seed%ways), request)
	}
	return made, err
}

// bridge makes an intercommunicator of the ranks of the two colors. Some rank of each leads it.
func (p *team) bridge(c *mpi.Comm) (*mpi.Comm, error) {
	color := p.colors[c.Rank()]
	half, err := c.Split(color, p.keys[c.Rank()])
	if err != nil {
		return nil, err
	}
	leader, between := p.leader(color), c
	if c.Rank() != leader {
		between = nil
	}
	local, err := c.Group().Translate([]int{leader}, half.Group())
	if err != nil {
		return nil, err
	}
	made, err := half.CreateIntercomm(local[0], between, p.leader(1-color), int(p.seed%1000))
	return made, errors.Join(err, half.Free())
}

// leader is a rank of a color.
func (p *team) leader(color int) int {
	var all []int
	for rank, c := range p.colors {
		if c == color {
			all = append(all, rank)
		}
	}
	return all[p.seed%uint64(len(all))]
}

// Communicators is the program of a seed in which 2 to so many ranks have many communicators at a time, of all kinds, and on each of
// them, and on that of which they are made, several collective operations in all forms.
func Communicators(seed uint64, ranks int) Program {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 0x7ea3))}
	p := &g.program
	p.Size = 2 + g.IntN(ranks-1)
	p.EagerLimit = []int{1, 8 << 10, 64 << 10}[g.IntN(3)]
	p.UnexpectedLimit = []int{1 << 20, 64 << 20}[g.IntN(2)]
	var t trace
	for range 4 + g.IntN(5) {
		g.place(&t, g.team(p.Size), p.Size, 1)
	}
	all := g.collectives(p.Size, 4+g.IntN(5))
	for i := range all {
		g.place(&t, &all[i], p.Size, 1)
	}
	parts := []part{{scripts: t.scripts(p.Size)}}
	p.rounds = []round{{free: true, lanes: []lane{{colors: make([]int, p.Size), keys: make([]int, p.Size), parts: parts}}}}
	return *p
}
