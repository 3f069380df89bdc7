package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// correlation is the matrix of the proteins that taskfarm carries. A program that finds another has made a mistake.
var correlation = plan.App{
	Name: "taskfarm", Args: []string{"correlate", "--json", "--block", "16", "--slots", "3", "--fanout", "2"},
	Checksum: "25db516dc7843c77",
}

func correlationLoss(quick bool) plan.Experiment {
	e := plan.Experiment{
		Name:     "correlation-loss",
		Title:    "A correlation matrix under loss",
		Question: "How much longer does a real program with long messages take when packets are lost?",
		Setup: "The robust correlation matrix of 204 features of 1000 proteins (taskfarm correlate), in 91 blocks: a task is the values of 32 features, 250 KiB, which are long " +
			"messages to the library. Three workers have three requests under way each, answered by two tasks. A second of computing for all workers together; 21 MB of messages. " +
			"The answer is compared, to the last bit, with that of one process. Where the case says so, a share of packets is 5 ms late besides.",
		Variants: withSingle(),
		Metrics:  []plan.Metric{{Name: "time", Title: "time of the matrix", Unit: "s"}},
		Rounds:   pick(quick, 1, plan.LeastJobs),
		Budget:   pick(quick, 4*time.Minute, 50*time.Minute),
	}
	underLoss(&e, &correlation, plan.Load{Bytes: 21_300_000 / 3, Turns: 40, Time: 4 * time.Second}, quick)
	return e
}
