package core

import "github.com/sctpmpi/sctpmpi/matching"

// group is the ordered set of a communicator's processes. Transports know
// processes by their ranks in the job.
type group struct {
	size int
	// job holds the rank in the job of each rank; nil: they are the same.
	job []matching.Rank
	// rank is the inverse, by rank in the job; Undefined for outsiders.
	rank []int32
}

// newGroup returns the group of the given processes of a job.
func newGroup(job []matching.Rank, jobSize int) group {
	same := len(job) == jobSize
	rank := make([]int32, jobSize)
	for i := range rank {
		rank[i] = Undefined
	}
	for i, r := range job {
		rank[r] = int32(i)
		same = same && int(r) == i
	}
	if same {
		return group{size: jobSize}
	}
	return group{size: len(job), job: job, rank: rank}
}

// jobRank translates a rank of the communicator, which may be AnySource.
func (c *Comm) jobRank(rank int) matching.Rank {
	if rank < 0 || c.group.job == nil {
		return matching.Rank(rank)
	}
	return c.group.job[rank]
}

// rankOf translates a rank of the job.
func (c *Comm) rankOf(job matching.Rank) int {
	switch {
	case c.group.job == nil || job < 0:
		return int(job)
	case int(job) < len(c.group.rank):
		return int(c.group.rank[job])
	}
	return Undefined
}
