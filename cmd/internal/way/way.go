package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// step is the call of a function. depth is how many of the calls before it, in Send or Recv, had not returned.
type step struct {
	function
	depth int
}

// way is the way of a message, which has four parts.
type way struct{ down, after, before, up part }

type part []step

// counts are how many calls there are, of how many functions in how many packages, and how often the package is another than
// that of the call before.
type counts struct{ calls, functions, packages, changes int }

func (p part) count() (c counts) {
	functions, packages := make(map[function]bool), make(map[string]bool)
	for i, s := range p {
		functions[s.function], packages[s.pkg] = true, true
		if i > 0 && s.pkg != p[i-1].pkg {
			c.changes++
		}
	}
	c.calls, c.functions, c.packages = len(p), len(functions), len(packages)
	return c
}

// handOver are the functions that hand a message to the network or the other process: what they are for is one store or
// system call.
var handOver = []string{
	"internal/shm/internal/ring.Producer.Put",
	"sctprpi/engine/internal/udp.sendMessages",
	"tcprpi/internal/socket.oneSlice",
	"tcprpi/internal/socket.Vector.call",
}

var (
	errNotHandedOver = errors.New("in Send none of these functions is called, which are to hand the message over: " +
		strings.Join(handOver, ", ") + ". If another one does so now, name it in cmd/internal/way/way.go")
	errNoLook = errors.New("in Recv no function Poll or PollFast is called, which is to find the message. " +
		"If another one does so now, name it in cmd/internal/way/way.go")
)

// parted divides the calls in one Send and one Recv.
func parted(send, recv part) (w way, err error) {
	at := -1
	for i, s := range send {
		if slices.Contains(handOver, s.pkg+"."+s.name) {
			at = i
		}
	}
	if at < 0 {
		return w, errNotHandedOver
	}
	handed := end(send, at)
	first, last := -1, -1
	for i := 0; i < len(recv); i++ {
		if looks(recv[i].function) {
			if last = i; first < 0 {
				first = i
			}
			i = end(recv, i) - 1 // what it calls is the same look
		}
	}
	if first < 0 {
		return w, errNoLook
	}
	return way{down: send[:handed], after: send[handed:], before: recv[:first], up: recv[last:]}, nil
}

func looks(f function) bool {
	return strings.HasSuffix(f.name, ".Poll") || strings.HasSuffix(f.name, ".PollFast")
}

// end is where the calls within the one at i end.
func end(steps part, i int) int {
	for j := i + 1; j < len(steps); j++ {
		if steps[j].depth <= steps[i].depth {
			return j
		}
	}
	return len(steps)
}

// way returns the most frequent way of the messages, part by part. The error is why the last of them has none, if none has.
func (t traces) way(functions []function) (way, error) {
	steps := func(calls []call) (all part) {
		for _, c := range calls {
			all = append(all, step{functions[c.Function], int(c.Depth)})
		}
		return all
	}
	var down, after, before, up []part
	var err error
	for i := range t.Send {
		w, reason := parted(steps(t.Send[i]), steps(t.Recv[i]))
		if reason != nil {
			err = reason
			continue
		}
		down, after = append(down, w.down), append(after, w.after)
		before, up = append(before, w.before), append(up, w.up)
	}
	if len(down) == 0 {
		return way{}, err
	}
	return way{mostFrequent(down), mostFrequent(after), mostFrequent(before), mostFrequent(up)}, nil
}

func mostFrequent(all []part) (most part) {
	count, highest := make(map[string]int), 0
	for _, p := range all {
		name := fmt.Sprint(p)
		if count[name]++; count[name] > highest {
			most, highest = p, count[name]
		}
	}
	return most
}
