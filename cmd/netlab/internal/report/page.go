package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// report is what the page and the JSON show.
type report struct {
	Environment campaign.Environment `json:"environment"`
	Jobs        int                  `json:"jobs"`
	Seconds     float64              `json:"seconds"` // of all jobs
	Late        float64              `json:"late"`    // milliseconds, see record.Result: median and maximum of all jobs
	LateMost    float64              `json:"lateMost"`
	Lacks       Lacks                `json:"lacks"`
	DisturbedBy int                  `json:"disturbedBy"` // milliseconds that a timer was late in a job that is not counted
	Sections    []section            `json:"experiments"`
}

// section is an experiment.
type section struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Question string          `json:"question"`
	Setup    string          `json:"setup"`
	Network  []string        `json:"conditions"` // that occur
	Figures  []template.HTML `json:"-"`
	Metrics  []string        `json:"-"` // headings
	Rows     []line          `json:"rows"`
	Planned  int             `json:"planned"` // jobs
	Failures []failure       `json:"failures,omitempty"`
	Undrawn  []string        `json:"-"` // charts of which nothing has been measured
}

// line is a cell.
type line struct {
	Case      string            `json:"case"`
	Variant   string            `json:"variant"`
	Params    any               `json:"parameters"`
	Done      int               `json:"done"`
	Failed    int               `json:"failed"`
	Disturbed int               `json:"disturbed,omitempty"` // done, but not counted
	Ended     bool              `json:"ended,omitempty"`     // all have failed, which is a result
	Ends      bool              `json:"-"`                   // jobs that fail are results
	Few       bool              `json:"few,omitempty"`       // fewer than plan.LeastJobs are done, where the plan has as many
	Metrics   map[string]figsum `json:"metrics,omitempty"`
	Ratios    map[string]figsum `json:"ratios,omitempty"` // by title
	Values    []string          `json:"-"`
	First     bool              `json:"-"` // of its case
}

// figsum is a record.Summary, which is left out where it is no number.
type figsum struct {
	Median   float64 `json:"median"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Coverage float64 `json:"confidence"`
	N        int     `json:"n"`
}

func figsumOf(s record.Summary) figsum { return figsum{s.Median, s.Low, s.High, s.Coverage, s.N} }

// failure is a job that has failed, of which there may be several alike.
type failure struct {
	Case    string `json:"case"`
	Variant string `json:"variant"`
	Round   int    `json:"round"`
	Status  string `json:"status"`
	Error   string `json:"error"`
}

func newSection(e *plan.Experiment, all []row) section {
	s := section{Name: e.Name, Title: e.Title, Question: e.Question, Setup: e.Setup}
	for _, m := range e.Metrics {
		heading := m.Title
		if m.Unit != "" {
			heading += ", " + m.Unit
		}
		s.Metrics = append(s.Metrics, heading)
	}
	for _, ratio := range e.Ratios {
		s.Metrics = append(s.Metrics, ratio.Title)
	}
	last := ""
	s.Planned = e.Rounds * len(all)
	for _, r := range all {
		if c := r.cell.Case.Conditions.String(); c != "" && !slices.Contains(s.Network, c) {
			s.Network = append(s.Network, c)
		}
		l := line{
			Case: r.cell.Case.ID(), Variant: r.cell.Variant.Name, Params: r.cell.Case.Params,
			Done: r.done, Failed: len(r.failures), Disturbed: r.disturbed, Few: r.few, Ended: r.ended, Ends: e.Ends,
			Metrics: map[string]figsum{}, Ratios: map[string]figsum{},
		}
		l.First, last = l.Case != last, l.Case
		for _, m := range e.Metrics {
			sum := r.metrics[m.Name]
			value := sum.String()
			if r.ended {
				value = string(r.failures[0].Status)
			}
			l.Values = append(l.Values, value)
			if sum.N > 0 {
				l.Metrics[m.Name] = figsumOf(sum)
			}
		}
		for i, ratio := range e.Ratios {
			sum := r.ratios[i]
			l.Values = append(l.Values, sum.String())
			if sum.N > 0 {
				l.Ratios[ratio.Title] = figsumOf(sum)
			}
		}
		s.Rows = append(s.Rows, l)
		for _, f := range r.failures {
			s.Failures = append(s.Failures, failure{f.Case, f.Variant, f.Round, string(f.Status), f.Error})
		}
	}
	return s
}

// addFigure takes the element out of an SVG document.
func (s *section) addFigure(svg []byte) {
	if i := bytes.Index(svg, []byte("<svg")); i > 0 {
		svg = svg[i:]
	}
	s.Figures = append(s.Figures, template.HTML(svg)) // our own; the chart package has escaped all text
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"digits": record.Digits,
	"least":  func() int { return plan.LeastJobs },
	"duration": func(seconds float64) time.Duration {
		return time.Duration(seconds * float64(time.Second)).Round(time.Second)
	},
}).Parse(pageText))

func (r *report) html(w io.Writer) error { return page.Execute(w, r) }

func (r *report) json(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
