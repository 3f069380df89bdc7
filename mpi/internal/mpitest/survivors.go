package mpitest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// ErrKilled is what Run returns at a rank that dies.
var ErrKilled = errors.New("killed by the random program")

// Survivors is a program in which ranks die at any place, and the others go on with a communicator of those that are left, as
// docs/failures.md shows. It has neither windows nor communicators made between messages: a rank that fails can revoke only
// what it has made itself.
type Survivors struct {
	Program
	seed uint64
	// round of each rank of the world in which it dies, -1 if in none, and after what part of its steps.
	round []int
	place []float64
}

// deaths are the errors that follow from the death of a rank.
var deaths = []error{mpi.ErrProcFailed, mpi.ErrProcFailedPending, mpi.ErrRevoked, errIncomplete}

// errIncomplete: not all ranks have made the communicators of a round.
var errIncomplete = errors.New("not all ranks have made the communicators")

// survivorRounds is how many rounds of messages there are.
const survivorRounds = 4

// NewSurvivors returns the program of a seed, for 3 to so many ranks.
func NewSurvivors(seed uint64, ranks int) Survivors {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 0xdead))}
	p := Survivors{seed: seed}
	p.Size = 3 + g.IntN(ranks-2)
	p.EagerLimit = []int{1, 8 << 10, 64 << 10}[g.IntN(3)]
	p.UnexpectedLimit = []int{64 << 10, 64 << 20}[g.IntN(2)]
	for range p.Size {
		p.round, p.place = append(p.round, -1), append(p.place, g.Float64())
	}
	for _, rank := range g.Perm(p.Size)[:1+g.IntN(p.Size-2)] { // two live at least
		p.round[rank] = g.IntN(survivorRounds)
	}
	return p
}

// Deaths is how many ranks die at most: one of those of a round does, and others may learn of it before their turn, and live.
func (p *Survivors) Deaths() (n int) {
	for _, round := range p.round {
		if round >= 0 {
			n++
		}
	}
	return n
}

// Run is what each rank of the job does. It returns ErrKilled at the ranks that die.
func (p *Survivors) Run(world *mpi.Comm) error {
	c := world
	for i := range survivorRounds {
		err := p.runRound(i, c, world.Rank())
		ok := uint64(1)
		if err != nil {
			if !slices.ContainsFunc(deaths, func(death error) bool { return errors.Is(err, death) }) {
				return fmt.Errorf("round %d, rank %d of %d: %w", i, c.Rank(), c.Size(), err)
			}
			ok = 0
			if err := c.Revoke(); err != nil {
				return err
			}
		}
		if ok, err = c.Agree(ok); err == nil && ok == 1 {
			continue
		}
		if err != nil && !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("agreement after round %d: %w", i, err)
		}
		left, err := c.Shrink()
		if err != nil {
			return fmt.Errorf("shrinking after round %d: %w", i, err)
		}
		if left.Size() > c.Size() || left.Size() < p.living() {
			return fmt.Errorf("round %d: %d of %d ranks are left, and %d never die", i, left.Size(), c.Size(), p.living())
		}
		c = left
	}
	return nil
}

// living is how many ranks do not die.
func (p *Survivors) living() (n int) {
	for _, round := range p.round {
		if round < 0 {
			n++
		}
	}
	return n
}

// runRound runs the messages and collectives of a round, which follow from its number and how many ranks are left.
func (p *Survivors) runRound(i int, c *mpi.Comm, me int) (err error) {
	g := generator{Rand: rand.New(rand.NewPCG(p.seed, uint64(i<<8|c.Size()))), program: p.Program, mortal: true}
	x := rank{part: &part{scripts: g.exchange(c.Size())}}
	if p.round[me] == i {
		x.life = 1 + int(p.place[me]*float64(len(x.part.scripts[c.Rank()])))
	}
	var made []*mpi.Comm
	defer func() {
		for _, m := range slices.Backward(made) {
			if errors.Is(err, ErrKilled) {
				return
			}
			if err != nil {
				err = errors.Join(err, m.Revoke())
			}
			err = errors.Join(err, m.Free())
		}
	}()
	for _, to := range []**mpi.Comm{&x.comm, &x.side} {
		if err == nil {
			if *to, err = c.Dup(); err == nil {
				made = append(made, *to)
			}
		}
	}
	// All have both, or none uses them: a rank that has not made one could not revoke it.
	all := uint64(1)
	if err != nil {
		all = 0
	}
	if all, agreed := c.Agree(all); err != nil || agreed != nil || all == 0 {
		return errors.Join(err, agreed, errIncomplete)
	}
	if err = x.run(); x.life > 0 && err == nil {
		err = ErrKilled // its script is shorter
	}
	return err
}
