package top

import (
	"errors"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// Live shows a job on a terminal until the user ends that, or the job ends: then the error is sight.ErrEnded. look returns how the job is
// now; it is called every so often.
func Live(look func() (sight.Job, error), every time.Duration, in *os.File, out io.Writer) error {
	end, err := tea.NewProgram(model{look: look, every: every, screen: Screen{Styled: true, Keys: true}}, tea.WithInput(in), tea.WithOutput(out)).Run()
	if errors.Is(err, tea.ErrInterrupted) { // ^C ends it as q does
		return nil
	}
	if m, ok := end.(model); ok && err == nil && m.ended {
		return sight.ErrEnded
	}
	return err
}

// model is what is shown, and how.
type model struct {
	look   func() (sight.Job, error)
	every  time.Duration
	screen Screen
	job    sight.Job // as it was last seen
	report Report
	known  bool // report is one
	ended  bool // the job has
}

// seen is what a look has come to.
type seen struct {
	job sight.Job
	err error
}

// Init implements tea.Model.
func (m model) Init() tea.Cmd { return m.watch }

func (m model) watch() tea.Msg {
	job, err := m.look()
	return seen{job, err}
}

// Update implements tea.Model.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.screen.Width, m.screen.Height = msg.Width, msg.Height
	case seen:
		return m.take(msg)
	case tea.KeyPressMsg:
		return m.press(msg.String())
	}
	return m, nil
}

// take takes in what a look has come to, and looks again later.
func (m model) take(now seen) (tea.Model, tea.Cmd) {
	again := tea.Tick(m.every, func(time.Time) tea.Msg { return m.watch() })
	switch {
	case errors.Is(now.err, sight.ErrEnded):
		m.ended = true
		return m, tea.Quit
	case now.err != nil:
		m.screen.Note = now.err.Error()
		return m, again
	}
	m.report, m.job, m.known, m.screen.Note = NewReport(now.job, m.job), now.job, true, ""
	return m, again
}

// press does what a key is for.
func (m model) press(key string) (tea.Model, tea.Cmd) {
	s := &m.screen
	page := max(1, s.Height-6)
	switch key {
	case "q", "esc", "ctrl+c":
		return m, tea.Quit
	case "ctrl+z":
		return m, tea.Suspend
	case "m":
		s.Mode, s.Offset = Matrix, 0
	case "p":
		s.Mode, s.Offset = Paths, 0
	case "t":
		s.Mode, s.Offset = Ranks, 0
	case "tab":
		s.Mode, s.Offset = (s.Mode+1)%modes, 0
	case "<", "left":
		m.sortBy(-1)
	case ">", "right":
		m.sortBy(1)
	case "r":
		s.Reverse = !s.Reverse
	case "up", "k":
		s.Offset--
	case "down", "j":
		s.Offset++
	case "pgup":
		s.Offset -= page
	case "pgdown", "space":
		s.Offset += page
	case "home":
		s.Offset = 0
	}
	s.Offset = max(0, min(s.Offset, m.report.Size-1))
	return m, nil
}

// sortBy sorts by the column that is so far to the right of the one before, of those that are to be seen.
func (m *model) sortBy(step int) {
	shown := m.screen.shown(&m.report)
	at := 0
	for i, c := range shown {
		if c == m.screen.Sort {
			at = i
		}
	}
	m.screen.Sort, m.screen.Reverse = shown[(at+step+len(shown))%len(shown)], false
}

// View implements tea.Model.
func (m model) View() tea.View {
	text := "asking the ranks …"
	switch {
	case m.known:
		text = strings.Join(m.screen.Lines(m.report), "\n")
	case m.screen.Note != "":
		text = m.screen.Note
	}
	v := tea.NewView(text)
	v.AltScreen = true
	return v
}
