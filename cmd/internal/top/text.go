package top

import (
	"fmt"
	"math"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// count is a number in at most 5 characters.
func count(n float64) string {
	switch {
	case n < 0.05:
		return "0"
	case n < 9.95 && n != math.Trunc(n):
		return fmt.Sprintf("%.1f", n)
	case n < 99999.5:
		return fmt.Sprintf("%.0f", n)
	}
	for _, unit := range []string{"k", "M", "G", "T"} {
		if n /= 1000; n < 9999.5 {
			return fmt.Sprintf("%.0f%s", n, unit)
		}
	}
	return "many"
}

// size is a number of bytes in at most 6 characters, with binary units.
func size(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.0fB", n)
	}
	unit := ""
	for _, unit = range []string{"K", "M", "G", "T", "P"} {
		if n /= 1024; n < 1000 {
			break
		}
	}
	if n < 9.95 {
		return fmt.Sprintf("%.1f%s", n, unit)
	}
	return fmt.Sprintf("%.0f%s", n, unit)
}

// span is a time in at most 6 characters.
func span(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%dµs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%dmin", d/time.Minute)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

// fit makes a text as wide as it is to be. What is cut off shows.
func fit(text string, width int, right bool) string {
	text = ansi.Truncate(text, width, "…")
	blank := strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
	if right {
		return blank + text
	}
	return text + blank
}

// cut shortens a line to a width, 0 for any, and takes away blanks at its end.
func cut(line string, width int) string {
	line = strings.TrimRight(line, " ")
	if width > 0 {
		line = ansi.Truncate(line, width, "…")
	}
	return line
}

// plural is a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// waitForIt says how many ranks wait for one.
func waitForIt(n int) string {
	if n == 1 {
		return "1 rank waits for it"
	}
	return plural(n, "rank") + " wait for it"
}

// heading is the style of the names of columns. The colours of states are those that a terminal calls green, yellow, red.
var (
	heading = lipgloss.NewStyle().Bold(true)
	chosen  = lipgloss.NewStyle().Bold(true).Underline(true)
	colours = map[sight.State]lipgloss.Style{
		sight.Computing: lipgloss.NewStyle().Foreground(lipgloss.Green),
		sight.Waiting:   lipgloss.NewStyle().Foreground(lipgloss.Yellow),
		sight.Stopped:   lipgloss.NewStyle().Foreground(lipgloss.Red),
		sight.Silent:    lipgloss.NewStyle().Foreground(lipgloss.Red),
		sight.Suspected: lipgloss.NewStyle().Foreground(lipgloss.Red),
		sight.Dead:      lipgloss.NewStyle().Foreground(lipgloss.Red),
	}
)

// paint gives a text a style, if there are any.
func (s Screen) paint(style lipgloss.Style, text string) string {
	if !s.Styled {
		return text
	}
	return style.Render(text)
}
