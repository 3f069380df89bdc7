package launch

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
)

// grace is the time that ranks have to end when the job is cancelled.
const grace = 500 * time.Millisecond

// Main is the main function of a launcher. The Job is JSON. It returns the exit status.
func Main(text string, stdin *os.File, stdout, stderr io.Writer) int {
	spec, err := parse(text)
	if err != nil {
		fmt.Fprintf(stderr, "mpibench: the job of a launcher: %v\n", err)
		return 1
	}
	spec.Stdin, spec.Stdout, spec.Stderr = stdin, stdout, stderr
	return job.Run(spec)
}

func parse(text string) (job.Spec, error) {
	var j Job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return job.Spec{}, err
	}
	program := j.Program
	if program == nil {
		self, err := os.Executable()
		if err != nil {
			return job.Spec{}, err
		}
		order, err := json.Marshal(j.Order)
		if err != nil {
			return job.Spec{}, err
		}
		program = []string{self, RankCommand, string(order)}
	}
	return job.Spec{Transport: j.Transport, Grace: grace, Apps: []job.App{{N: j.Ranks, Path: program[0], Args: program, Env: j.Env}}}, nil
}
