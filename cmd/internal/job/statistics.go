package job

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// takeStatistics takes what a rank has counted, if that is what it says.
func (j *job) takeStatistics(rank int, text string) bool {
	r, found, err := stats.Decode(text)
	switch {
	case !found:
		return false
	case err != nil:
		j.say(fmt.Sprintf("rank %d: %v", rank, err))
	default:
		j.statistics[rank] = r
	}
	return true
}

// sayStatistics prints what the ranks have counted, after all that they have written.
func (j *job) sayStatistics() {
	if !j.spec.Statistics || len(j.ranks) == 0 {
		return
	}
	for _, line := range stats.Table(j.statistics, j.spec.size()) {
		j.stderr.Println("mpirun: " + line)
	}
}
