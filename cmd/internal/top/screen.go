package top

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// Mode is what a screen shows of a job.
type Mode int

// The modes.
const (
	Ranks  Mode = iota // a table of the ranks
	Matrix             // who waits for whom
	Paths              // connections over the network
	modes
)

// Screen is what is to be seen of a report. The zero Screen shows all ranks, by number, in lines as long as they are.
type Screen struct {
	Mode Mode
	// Sort is the index of the column by which ranks are sorted, the largest value first but for texts and the number of a rank;
	// Reverse turns that round.
	Sort    int
	Reverse bool
	// Offset is how many ranks are left out above.
	Offset int
	// Width and Height are those of the terminal, 0 for no limit.
	Width, Height int
	// Styled: there are colours.
	Styled bool
	// Note, unless empty, is a line about the view itself.
	Note string
	// Keys: the last line explains the keys.
	Keys bool
}

// Lines are the lines of the screen, none longer than it is wide and no more than it is high.
func (s Screen) Lines(r Report) []string {
	lines := s.head(r)
	if s.Note != "" {
		lines = append(lines, s.paint(colours[sight.Stopped], cut(s.Note, s.Width)))
	}
	foot := 0
	if s.Keys {
		foot = 1
	}
	room := 0
	if s.Height > 0 {
		room = max(2, s.Height-len(lines)-1-foot) // of the body
	}
	lines = append(lines, "")
	switch s.Mode {
	case Ranks:
		lines = append(lines, s.table(r, room)...)
	case Matrix:
		lines = append(lines, s.matrix(r, room)...)
	case Paths:
		lines = append(lines, s.paths(r, room)...)
	}
	if s.Keys {
		for s.Height > 0 && len(lines) < s.Height-1 {
			lines = append(lines, "")
		}
		lines = append(lines, cut("q quit   m matrix   p paths   t table   < > sort by   r reverse   ↑ ↓ scroll", s.Width))
	}
	if s.Height > 0 && len(lines) > s.Height {
		lines = lines[:s.Height]
	}
	return lines
}

// mostHolding is how many ranks the head names that hold others up.
const mostHolding = 3

// head says what job it is, how many ranks are in which state, and which of them hold others up.
func (s Screen) head(r Report) []string {
	title := fmt.Sprintf("%s (mpirun %d), %s", r.Name, r.Pid, plural(r.Size, "rank"))
	if r.Hosts > 1 {
		title += " on " + plural(r.Hosts, "host")
	}
	title += ", running for " + span(r.Taken.Sub(r.Started).Round(time.Second))
	numbers := make(map[sight.State]int)
	var messages, bytes float64
	for _, row := range r.Ranks {
		numbers[row.State]++
		messages, bytes = messages+row.SentRate, bytes+row.BytesSentRate
	}
	var states []string
	for _, state := range sight.States {
		if n := numbers[state]; n > 0 {
			states = append(states, fmt.Sprintf("%d %s", n, state))
		}
	}
	lines := []string{
		s.paint(heading, cut(title, s.Width)),
		cut(fmt.Sprintf("%s; %s messages/s, %s/s", strings.Join(states, ", "), count(messages), size(bytes)), s.Width),
	}
	switch {
	case len(r.Holding) > 0:
		var parts []string
		for _, h := range r.Holding[:min(mostHolding, len(r.Holding))] {
			parts = append(parts, fmt.Sprintf("rank %d (%s): %s", h.Rank, h.State, waitForIt(h.Waiting)))
		}
		text := "holding others up: " + strings.Join(parts, "; ")
		if left := len(r.Holding) - mostHolding; left > 0 {
			text += fmt.Sprintf("; and %d more", left)
		}
		lines = append(lines, s.paint(colours[r.Holding[0].State], cut(text, s.Width)))
	case numbers[sight.Waiting] > 0 && !slices.ContainsFunc(r.Ranks, func(row Row) bool { return row.State == sight.Computing }):
		lines = append(lines, cut("all ranks wait for each other, or for messages that are on their way", s.Width))
	}
	return lines
}
