package rank

import "time"

// usage is what a rank takes of the system, as integers that it can send.
type usage [quantities]int64

const (
	processor  = iota // time, as all times in nanoseconds
	calls             // system calls of its transport
	waiting           // the time that its calls have waited
	blocked           // the part of that in which they did not look
	quantities = iota
)

// used is what this rank has used so far.
func (s *session) used() usage {
	u := s.world.Usage()
	return usage{processor: int64(s.cpu()), calls: int64(u.SystemCalls), waiting: int64(u.Waited), blocked: int64(u.Blocked)}
}

// since is what has been used since before.
func (u usage) since(before usage) usage {
	for i := range u {
		u[i] -= before[i]
	}
	return u
}

// sum is a quantity of all ranks together.
func (p span) sum(quantity int) (all int64) {
	for _, u := range p.used {
		all += u[quantity]
	}
	return all
}

// figures are the figures that all programs have.
func (p span) figures() Figures {
	seconds := func(quantity int) float64 { return time.Duration(p.sum(quantity)).Seconds() }
	return Figures{
		"count": float64(p.count), "wall_s": p.wall.Seconds(),
		"cpu_s": seconds(processor), "waited_s": seconds(waiting), "blocked_s": seconds(blocked),
		"calls_step": float64(p.sum(calls)) / float64(max(p.count, 1)),
	}
}

// ends adds which part of a processor the sender and the receiver had, the first two ranks. It is not known where all ranks are one process.
func (p span) ends(f Figures, sender int) {
	if len(p.used) < 2 || p.used[1][processor] == 0 {
		return
	}
	part := func(rank int) float64 { return float64(p.used[rank][processor]) / float64(p.wall) }
	f["sender_cores"], f["receiver_cores"] = part(sender), part(1-sender)
}

// each is the time of one step in microseconds.
func (p span) each() float64 { return p.wall.Seconds() * 1e6 / float64(max(p.count, 1)) }
