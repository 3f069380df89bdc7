package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgressBehindALauncherComesInLines(t *testing.T) {
	var out bytes.Buffer
	bar := newProgressLines(&out, 4, 0)
	for range 4 {
		require.NoError(t, bar.Add(1))
	}
	text := out.String()
	require.NotContains(t, text, "\r")
	require.True(t, strings.HasSuffix(text, "\n"))
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		require.Regexp(t, `^tasks +\d+% .*\(\d/4\)`, line)
	}
}
