package publish_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/publish"
)

const heading = "experiment,case,conditions,variant,round,status,started,seconds,late,error,p99,time\n"

// results are of two cases; the second variant was not planned for the second one, and has one job that was run again.
const results = heading +
	`farm,"size=300 KiB, loss=0%",,tcp-perpair,1,done,,,30.4,,9,4` + "\n" +
	`farm,"size=30 KiB, loss=0%",,sctp-engine,1,disturbed,,,900,,99,99` + "\n" +
	`farm,"size=30 KiB, loss=0%",,sctp-engine,2,done,,,,,2,3` + "\n" +
	`farm,"size=30 KiB, loss=0%",,sctp-engine,1,done,,,,,1,2` + "\n" +
	`farm,"size=30 KiB, loss=0%",,tcp-perpair,1,done,,,,,4,1` + "\n" +
	`farm,"size=30 KiB, loss=0%",,tcp-perpair,2,failed,,,,no peer,,` + "\n" +
	`farm,"size=30 KiB, loss=0%",,tcp-pertrc,1,timed out,,,,more than 30s,,` + "\n"

// fill returns what a template makes of results in farm.csv.
func fill(t *testing.T, csv, template string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "farm.csv"), []byte(csv), 0o600))
	name := filepath.Join(dir, "page.md.tmpl")
	require.NoError(t, os.WriteFile(name, []byte(`{{$farm := data "farm.csv"}}`+template), 0o600))
	files, err := publish.Fill(name)
	if err != nil {
		return "", err
	}
	assert.Equal(t, filepath.Join(dir, "page.md"), files[0].Name)
	return string(files[0].Text), nil
}

func TestTableHasARowForEachVariant(t *testing.T) {
	text, err := fill(t, results, `{{$farm.Table "time p99±" "size"}}`)
	require.NoError(t, err)
	assert.Equal(t, strings.TrimPrefix(`
| | 30 KiB: time | p99 | 300 KiB: time | p99 |
| --- | --- | --- | --- | --- |
| tcp-perpair | 1 | 4 | 4 | 9 |
| tcp-pertrc | – (1 failed) | – (1 failed) |  |  |
| sctp-engine | 2.50 | 1.50 (1–2) |  |  |

Medians of 1 to 2 jobs: [farm.csv](farm.csv). Fewer than 6 jobs are too few for intervals of 95%: small differences mean nothing.`, "\n"), text)
}

func TestFiguresWithinSentences(t *testing.T) {
	for template, want := range map[string]string{
		`{{median ($farm.Cell "sctp-engine" "size=30 KiB") "time"}}`:                                           "2.50",
		`{{interval ($farm.Cell "sctp-engine" "size=30 KiB") "time"}}`:                                         "2.50 (2–3)",
		`{{ratio ($farm.Cell "sctp-engine" "size=30 KiB") ($farm.Cell "tcp-perpair" "size=30 KiB") "time"}}`:   "2.50", // one job has no interval
		`{{change ($farm.Cell "tcp-perpair" "size=300 KiB") ($farm.Cell "tcp-perpair" "size=30 KiB") "time"}}`: "−75%",
		`{{change ($farm.Cell "tcp-perpair" "size=30 KiB") ($farm.Cell "tcp-perpair" "size=300 KiB") "time"}}`: "+300%",
		`{{range $farm.Variants}}{{.}} {{end}}`:                                                                "tcp-perpair tcp-pertrc sctp-engine ",
		`{{range $farm.Values "size"}}{{.}} {{end}}`:                                                           "30 KiB 300 KiB ",
		`{{($farm.Where "size=300 KiB").Jobs}}`:                                                                "1",
		`{{range ($farm.Without "size=30 KiB").Values "size"}}{{.}} {{end}}`:                                   "300 KiB ",
		`{{$farm.Has "tcp-perpair" "size=30 KiB"}}`:                                                            "true",
		`{{$farm.Has "tcp-pertrc" "size=30 KiB"}}`:                                                             "false", // it failed
		`{{(data "none.csv" "farm.csv").Jobs}}`:                                                                "1 to 2",
		`{{$farm.Simulated}}`:                                                                                  "",
		`{{late $farm}}`:                                                                                       "30",
		`{{given "20 ms"}}`:                                                                                    "20 ms",
	} {
		text, err := fill(t, results, template)
		require.NoError(t, err, template)
		assert.Equal(t, want, text, template)
	}
}

func TestResultsInVirtualTimeSayWhatTheirVariantsEndIn(t *testing.T) {
	text, err := fill(t, heading+`farm,loss=0%,,"sctp-engine, streams=1, simulated",1,done,,,,,1,2`+"\n", `{{$farm.Simulated}}`)
	require.NoError(t, err)
	assert.Equal(t, ", simulated", text)
}

// What a template asks for is there, and once: nothing is chosen for it.
func TestWhatTheDataDoNotHaveIsAnError(t *testing.T) {
	for template, want := range map[string]string{
		`{{$farm.Cell "sctp-kernel" "loss=0%"}}`:                        "farm.csv has no case of sctp-kernel with loss=0%",
		`{{$farm.Cell "tcp-perpair" "loss=0%"}}`:                        "farm.csv has several cases of tcp-perpair with loss=0%",
		`{{median ($farm.Cell "tcp-perpair" "size=30 KiB") "latency"}}`: `has no measurement of "latency"`,
		`{{$farm.Table "time" "loss"}}`:                                 `farm.csv has several values of "size": make it a column, or choose one with Where`,
		`{{$farm.Table "time" "size" "delay"}}`:                         `farm.csv has no factor "delay"`,
		`{{$farm.Where "size=3 KiB"}}`:                                  "farm.csv has no case with size=3 KiB",
		`{{$farm.Without "size=3 KiB"}}`:                                "farm.csv has all cases, or none, with size=3 KiB",
		`{{late ($farm.Of "tcp-pertrc")}}`:                              "no job says how late its timers were",
		`{{$farm.Of "sctp-kernel"}}`:                                    `farm.csv has no variant "sctp-kernel"`,
		`{{data "none.csv" "hol.csv"}}`:                                 "hol.csv: no such file",
	} {
		_, err := fill(t, results, template)
		assert.ErrorContains(t, err, want, template)
	}
	_, err := fill(t, results+`hol,loss=0%,,tcp-perpair,1,done,,,,,1,1`+"\n", "")
	assert.ErrorContains(t, err, "farm.csv has results of several experiments")
	_, err = fill(t, results+`farm,loss=1%,,tcp-perpair,1,done,,,,,0,1`+"\n", `{{ratio ($farm.Cell "sctp-engine" "loss=0%") ($farm.Cell "tcp-perpair" "loss=1%") "p99"}}`)
	assert.ErrorContains(t, err, `is 0 too often for a ratio of "p99"`)
	_, err = fill(t, heading, "")
	assert.ErrorContains(t, err, "farm.csv has no results")
	_, err = publish.Fill("page.md")
	assert.ErrorContains(t, err, "page.md: the name of a template ends in .tmpl")
}

func TestDrawingsAreFilesBesideThePage(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "farm.csv"), []byte(results), 0o600))
	name := filepath.Join(dir, "page.md.tmpl")
	template := `{{(data "farm.csv").Chart "farm.svg" "A farm" "time" "total time (s)" "size" "bars"}}`
	require.NoError(t, os.WriteFile(name, []byte(template), 0o600))
	files, err := publish.Fill(name)
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Equal(t, "![A farm](farm.svg)", string(files[0].Text))
	assert.Equal(t, filepath.Join(dir, "farm.svg"), files[1].Name)
	assert.Contains(t, string(files[1].Text), "<svg")
	assert.Contains(t, string(files[1].Text), "#CC79A7", "the colour of sctp-engine in all drawings")
	assert.NotContains(t, string(files[1].Text), "#D55E00", "tcp-pertrc has no measurement")
}
