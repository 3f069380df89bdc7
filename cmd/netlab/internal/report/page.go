package report

import (
	_ "embed"
	"html/template"
	"io"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"digits": measure.Digits,
	"least":  func() int { return plan.LeastJobs },
	"duration": func(seconds float64) time.Duration {
		return time.Duration(seconds * float64(time.Second)).Round(time.Second)
	},
}).Parse(pageText))

func (r *report) html(w io.Writer) error { return page.Execute(w, r) }
