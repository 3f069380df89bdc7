package job

import (
	"errors"
	"fmt"
	"os"

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
	if name := j.spec.StatisticsFile; name != "" {
		if err := writeStatistics(name, stats.Job{Size: j.spec.size(), Ranks: j.statistics}); err != nil {
			j.stderr.Println(fmt.Sprintf("mpirun: --stats-json: %v", err))
		}
	}
}

// checkStatisticsFile finds out before the job begins whether the file can be written.
func (s *Spec) checkStatisticsFile() error {
	if s.StatisticsFile == "" {
		return nil
	}
	if err := writeStatistics(s.StatisticsFile, stats.Job{Size: s.size()}); err != nil {
		return fmt.Errorf("--stats-json: %w", err)
	}
	return nil
}

func writeStatistics(name string, of stats.Job) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(of.Write(file), file.Close())
}
