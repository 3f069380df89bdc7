package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// teams are how many threads each rank has, of which so many work, and the others wait for a message.
var teams = []struct{ threads, working int }{{1, 1}, {2, 1}, {4, 1}, {16, 1}, {4, 4}, {16, 16}}

const teamDuration = "0.5" // seconds of each measurement

// teamFigures are of one run: half a round trip in µs, of the median thread, of the slowest, and the least of ten in a row; and thousands of messages
// per second, of all threads.
type teamFigures struct{ latency, slowest, least, rate float64 }

// runThreads measures threads that exchange 8 bytes in pairs, over each medium.
func runThreads(bin, mpicc string, rounds int) error {
	folder, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "threads")
	if _, err := output(nil, mpicc, "-O2", "-pthread", "-o", program, "internal/speed/programs/threads.c"); err != nil {
		return err
	}
	for _, medium := range media {
		all := make([][]teamFigures, len(teams))
		for range rounds {
			for i, team := range teams {
				text, err := output(medium.env, filepath.Join(bin, "mpirun"), "-n", "2", program, teamDuration,
					strconv.Itoa(team.threads), strconv.Itoa(team.working))
				if err != nil {
					return err
				}
				works, err := results(text, team.working)
				if err != nil {
					return err
				}
				all[i] = append(all[i], figuresOf(works))
			}
		}
		for i, team := range teams {
			fmt.Printf("%-13s  %2d threads, %2d work   half a round trip: %.1f µs, the slowest %.1f µs, least %.1f µs   messages: %.0f thousand/s\n",
				medium.name, team.threads, team.working,
				median(all[i], func(f teamFigures) float64 { return f.latency }), median(all[i], func(f teamFigures) float64 { return f.slowest }),
				median(all[i], func(f teamFigures) float64 { return f.least }), median(all[i], func(f teamFigures) float64 { return f.rate }))
		}
	}
	return nil
}

// figuresOf takes the works of the threads.
func figuresOf(works []work) (f teamFigures) {
	slices.SortFunc(works, func(a, b work) int { return cmp.Compare(a.step(), b.step()) })
	f.latency, f.slowest = works[len(works)/2].step()*1e6/2, works[len(works)-1].step()*1e6/2
	f.least = works[0].Least * 1e6 / 2
	for _, w := range works {
		f.rate += 2 / w.step() / 1e3
		f.least = min(f.least, w.Least*1e6/2)
	}
	return f
}
