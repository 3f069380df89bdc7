package mpitest

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A task is something that all ranks of a communicator do together in stages, with other things between these: messages,
// and stages of other tasks. A stage may wait for the same stage, and for earlier ones, of other ranks.
type task interface {
	stages() int
	// begin returns a rank's stages.
	begin(c *mpi.Comm) []func() error
}

// runTask does a task with nothing between its stages.
func runTask(c *mpi.Comm, t task) error {
	for i, stage := range t.begin(c) {
		if err := stage(); err != nil {
			return fmt.Errorf("stage %d: %w", i, err)
		}
	}
	return nil
}

// tasks adds tasks to a trace, each stage at one place for all ranks. So no stage waits for a step that is behind it.
func (g *generator) tasks(t *trace, size int, end float64) {
	for range g.IntN(3) {
		switch what := g.IntN(4); {
		case what == 0 && !g.mortal:
			g.place(t, g.window(size), size, end)
		case what == 1 && !g.mortal:
			g.place(t, g.team(size), size, end)
		default:
			all := g.collectives(size, 1+g.IntN(4))
			for i := range all {
				g.place(t, &all[i], size, end)
			}
		}
	}
}

// place adds the stages of a task.
func (g *generator) place(t *trace, k task, size int, end float64) {
	at := make([]float64, k.stages())
	for i := range at {
		at[i] = end * g.Float64()
	}
	slices.Sort(at)
	for i := range at {
		for rank := range size {
			t.add(rank, at[i], &step{verb: doStage, task: k, way: i})
		}
	}
}

// stage does a rank's stage of a task.
func (x *rank) stage(s *step) error {
	if s.way == 0 {
		x.tasks[s.task] = s.task.begin(x.comm)
	}
	return x.tasks[s.task][s.way]()
}

func (k *collective) stages() int { return k.form.stages() }

func (k *collective) begin(c *mpi.Comm) []func() error {
	return k.form.run(k.seed, func() (call, error) { return k.start(c) })
}

// stages is how many stages a call of this form has: it starts and completes, twice if it is persistent.
func (f form) stages() int {
	if f == persistent {
		return 4
	}
	return 2
}

// run returns the stages of what start calls. It completes in a way that follows from the seed.
func (f form) run(seed uint64, start func() (call, error)) []func() error {
	var x call
	first := func() (err error) {
		x, err = start()
		return err
	}
	complete := func() error {
		if x.request != nil {
			if _, err := completeBy(int(seed%ways), x.request); err != nil {
				return fmt.Errorf("%+v: %w", x.what, err)
			}
		}
		return x.check()
	}
	if f != persistent {
		return []func() error{first, complete}
	}
	again := func() error {
		x.reset()
		return x.request.Start()
	}
	last := func() error {
		if err := complete(); err != nil {
			return err
		}
		return x.request.Free()
	}
	return []func() error{first, complete, again, last}
}
