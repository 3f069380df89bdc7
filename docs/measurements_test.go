package docs

import (
	"encoding/csv"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ofMedians are figures that are computed from medians, and so have one value each.
var ofMedians = []string{"cores", "gap_ns_byte", "large_bytes", "more_us", "normalised", "by_transport"}

// What mpibench has measured for the pages is in docs/measurements: each CSV file has six rounds or more of all, and a chart, and a page shows both.
func TestMeasurementsAreWholeAndShown(t *testing.T) {
	const folder = "docs/measurements"
	var text strings.Builder
	for _, page := range pages(t) {
		text.WriteString(page)
	}
	files, err := fs.ReadDir(repository, folder)
	require.NoError(t, err)
	for _, file := range files {
		name, kind := strings.TrimSuffix(file.Name(), path.Ext(file.Name())), path.Ext(file.Name())
		if kind != ".csv" && kind != ".svg" {
			continue
		}
		assert.Contains(t, text.String(), "(measurements/"+file.Name()+")", "no page shows it")
		if kind == ".svg" {
			continue
		}
		_, err := fs.Stat(repository, path.Join(folder, name+".svg"))
		assert.NoError(t, err, "%s has no chart", file.Name())
		f, err := repository.Open(path.Join(folder, file.Name()))
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err, file.Name())
		require.NoError(t, f.Close())
		require.NotEmpty(t, rows, file.Name())
		assert.NotContains(t, rows[0], "interrupted", file.Name())
		figure, rounds := slices.Index(rows[0], "figure"), slices.Index(rows[0], "rounds")
		require.Positive(t, figure*rounds, file.Name())
		for _, row := range rows[1:] {
			if n, err := strconv.Atoi(row[rounds]); err != nil || n < 6 {
				assert.Contains(t, ofMedians, row[figure], "%s: %v", file.Name(), row)
			}
		}
	}
}
