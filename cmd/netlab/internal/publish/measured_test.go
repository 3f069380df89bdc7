package publish_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/publish"
)

const measurements = `table,transport,idle ranks,figure,median,low,high,rounds
latency,sctp-engine,0,half_rtt_us,8.125,7.5,9.5,6
latency,sctp-engine,988,half_rtt_us,9,8,10,6
latency,sctp-engine,988,half_rtt_us_change,-4.5,-8.25,0.5,6
`

// fillMeasured returns what a template makes of measurements in latency.csv, which has two charts.
func fillMeasured(t *testing.T, template string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"latency.csv": measurements, "latency.svg": "", "latency-sender.svg": "", "other.csv": "a,b\n", "page.md.tmpl": template,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	files, err := publish.Fill(filepath.Join(dir, "page.md.tmpl"))
	if err != nil {
		return "", err
	}
	return string(files[0].Text), nil
}

func TestFiguresOfMpibench(t *testing.T) {
	for template, want := range map[string]string{
		`{{with measured "latency.csv"}}{{.At "half_rtt_us" "idle ranks=0"}}{{end}}`:                               "8.12 (7.50–9.50)",
		`{{with measured "latency.csv"}}{{.Median "half_rtt_us" "transport=sctp-engine" "idle ranks=988"}}{{end}}`: "9",
		`{{with measured "latency.csv"}}{{.Change "half_rtt_us_change"}}{{end}}`:                                   "−4.5% (−8.2 to +0.5)",
		`{{with measured "latency.csv"}}{{.Charts}}{{end}}`:                                                        "[sender](latency-sender.svg), [chart](latency.svg)",
		`{{with measured "none.csv"}}{{.Charts}}{{else}}not yet{{end}}`:                                            "not yet",
		`{{with measured "latency.csv"}}{{.Median "cores" "idle ranks=0"}}{{end}}`:                                 "–",
		`{{drawn "latency-"}}`: "[sender](latency-sender.svg)",
	} {
		text, err := fillMeasured(t, template)
		require.NoError(t, err)
		assert.Equal(t, want, text, template)
	}
}

func TestMistakesAboutFiguresOfMpibench(t *testing.T) {
	for template, want := range map[string]string{
		`{{(measured "latency.csv").At "half_rtt_us"}}`:                    "latency.csv has half_rtt_us 2 times where , instead of once",
		`{{(measured "latency.csv").Median "half_rtt_us" "idle ranks=1"}}`: "latency.csv has half_rtt_us 0 times where idle ranks=1, instead of once",
		`{{measured "other.csv"}}`:                                         "other.csv is not what mpibench --csv writes",
	} {
		_, err := fillMeasured(t, template)
		assert.ErrorContains(t, err, want, template)
	}
}
