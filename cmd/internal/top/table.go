package top

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// column is one of the table of ranks.
type column struct {
	name  string
	width int
	right bool // numbers are at its right
	// spare: the larger, the sooner a narrow screen does without it; 0: never.
	spare int
	// needs reports whether the job has any of it; nil: always.
	needs func(r *Report) bool
	text  func(r *Row) string
	// value is what ranks are sorted by, the largest first; nil: the text.
	value func(r *Row) float64
}

// columns are those of the table. The last one takes what room is left.
var columns = []column{
	{name: "RANK", width: 5, right: true, text: func(r *Row) string { return fmt.Sprint(r.Rank.Rank) }, value: func(r *Row) float64 { return -float64(r.Rank.Rank) }},
	{name: "HOST", width: 10, spare: 1, needs: func(r *Report) bool { return r.Hosts > 1 }, text: func(r *Row) string { return r.Host }},
	{name: "STATE", width: 9, text: func(r *Row) string { return string(r.State) }},
	{name: "CPU", width: 5, right: true, spare: 2, text: func(r *Row) string { return fmt.Sprintf("%.0f%%", 100*r.Processors) }, value: func(r *Row) float64 { return r.Processors }},
	{name: "MEMORY", width: 6, right: true, spare: 3, text: func(r *Row) string { return size(float64(r.Memory)) }, value: func(r *Row) float64 { return float64(r.Memory) }},
	{name: "SENT/s", width: 6, right: true, spare: 2, text: func(r *Row) string { return count(r.SentRate) }, value: func(r *Row) float64 { return r.SentRate }},
	{name: "RECV/s", width: 6, right: true, spare: 4, text: func(r *Row) string { return count(r.ReceivedRate) }, value: func(r *Row) float64 { return r.ReceivedRate }},
	{name: "OUT/s", width: 6, right: true, spare: 5, text: func(r *Row) string { return size(r.BytesSentRate) }, value: func(r *Row) float64 { return r.BytesSentRate }},
	{name: "IN/s", width: 6, right: true, spare: 5, text: func(r *Row) string { return size(r.BytesReceivedRate) }, value: func(r *Row) float64 { return r.BytesReceivedRate }},
	{name: "UNEXP", width: 5, right: true, spare: 6, text: func(r *Row) string { return count(float64(r.Unexpected)) }, value: func(r *Row) float64 { return float64(r.Unexpected) }},
	{name: "RESENT", width: 6, right: true, spare: 7, needs: hasPaths, text: func(r *Row) string { return count(float64(r.Resent)) }, value: func(r *Row) float64 { return float64(r.Resent) }},
	{name: "RTT", width: 6, right: true, spare: 7, needs: hasPaths, text: roundTrip, value: func(r *Row) float64 { return float64(r.RoundTrip) }},
	{name: "WAITS", width: leastLast, text: (*Row).Doing, value: func(r *Row) float64 { return float64(r.Wait().Time) }},
}

// leastLast is how wide the last column is at least, before others are left out: so that most waits can be read with their lines.
const leastLast = 43

func hasPaths(r *Report) bool {
	return slices.ContainsFunc(r.Ranks, func(row Row) bool { return len(row.Peers) > 0 })
}

func roundTrip(r *Row) string {
	if len(r.Peers) == 0 {
		return "-"
	}
	return span(r.RoundTrip)
}

// Doing says how many ranks wait for a rank, what it waits for, and what is unusual about it.
func (r *Row) Doing() string {
	var parts []string
	if len(r.Hang.Waits) > 0 {
		parts = append(parts, span(r.Wait().Time)+r.Wait().String())
	}
	if more := len(r.Hang.Waits) + r.Hang.More - 1; more > 0 {
		parts = append(parts, "and in "+plural(more, "more call"))
	}
	if r.Hang.State != "" {
		parts = append(parts, r.Hang.State)
	}
	if len(r.SuspectedBy) > 0 {
		parts = append(parts, "suspected by "+hang.List(r.SuspectedBy))
	}
	text := strings.Join(parts, "; ")
	if r.Age > 0 && text != "" {
		text = span(r.Age) + " ago: " + text
	}
	if r.HeldUp > 0 {
		text = strings.TrimSuffix(waitForIt(r.HeldUp)+"; "+text, "; ")
	}
	return text
}

// shown are the indices of the columns that a screen has room for.
func (s Screen) shown(r *Report) (list []int) {
	width := 0
	for i, c := range columns {
		if c.needs == nil || c.needs(r) {
			list = append(list, i)
			width += c.width + 1
		}
	}
	for s.Width > 0 && width-1 > s.Width {
		drop := -1
		for at, i := range list {
			if columns[i].spare > 0 && (drop < 0 || columns[i].spare >= columns[list[drop]].spare) {
				drop = at
			}
		}
		if drop < 0 {
			break
		}
		width -= columns[list[drop]].width + 1
		list = slices.Delete(list, drop, drop+1)
	}
	return list
}

// table is a line for each rank, under one of names.
func (s Screen) table(r Report, room int) []string {
	shown := s.shown(&r)
	rows := slices.Clone(r.Ranks)
	by := columns[s.Sort]
	slices.SortStableFunc(rows, func(a, b Row) int {
		order := cmp.Compare(by.text(&a), by.text(&b))
		if by.value != nil {
			order = cmp.Compare(by.value(&b), by.value(&a))
		}
		if s.Reverse {
			return -order
		}
		return order
	})
	lines := []string{s.line(shown, func(i int) (string, lipgloss.Style) {
		if i == s.Sort && s.Keys {
			return columns[i].name, chosen
		}
		return columns[i].name, heading
	})}
	rows, left := s.scroll(rows, room-1)
	for _, row := range rows {
		lines = append(lines, s.line(shown, func(i int) (string, lipgloss.Style) {
			text, style := columns[i].text(&row), lipgloss.NewStyle()
			if columns[i].name == "STATE" {
				style = colours[row.State]
			} else if !row.Known && columns[i].right && i > 0 {
				text = "-" // nothing is known
			}
			return text, style
		}))
	}
	if left > 0 {
		lines = append(lines, cut(fmt.Sprintf("and %d more ranks below", left), s.Width))
	}
	return lines
}

// scroll leaves of rows those that there is room for, below Offset, and says how many are below them.
func (s Screen) scroll(rows []Row, room int) (visible []Row, left int) {
	if s.Height == 0 || room >= len(rows) {
		return rows, 0
	}
	rows = rows[min(max(0, s.Offset), len(rows)-1):]
	if room >= len(rows) {
		return rows, 0
	}
	room = max(1, room-1) // a line says how many are left
	return rows[:room], len(rows) - room
}

// line is one of the table.
func (s Screen) line(shown []int, cell func(i int) (string, lipgloss.Style)) string {
	var b strings.Builder
	left := s.Width
	for at, i := range shown {
		text, style := cell(i)
		if at < len(shown)-1 {
			b.WriteString(s.paint(style, fit(text, columns[i].width, columns[i].right)) + " ")
			left -= columns[i].width + 1
			continue
		}
		if s.Width > 0 {
			text = ansi.Truncate(text, max(0, left), "…")
		}
		b.WriteString(s.paint(style, text))
	}
	if line := b.String(); !s.Styled {
		return cut(line, s.Width)
	} else if s.Width > 0 {
		return ansi.Truncate(line, s.Width, "…")
	} else {
		return line
	}
}
