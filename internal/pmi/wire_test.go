package pmi

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/terminal"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		line string
		want message
	}{
		{"cmd=barrier_in", message{cmd: "barrier_in"}},
		{"cmd=put kvsname=k key=a value=b=c", message{"put", []attribute{{"kvsname", "k"}, {"key", "a"}, {"value", "b=c"}}}},
		{"cmd=get_result  rc=0   value= ", message{"get_result", []attribute{{"rc", "0"}, {"value", ""}}}},
		{`cmd=get_result msg=no\ such\\key rc=1`, message{"get_result", []attribute{{"msg", `no such\key`}, {"rc", "1"}}}},
		{"cmd=abort exitcode=1 message=x=y and more", message{"abort", []attribute{{"exitcode", "1"}, {"message", "x=y and more"}}}},
		{`cmd=x v=\`, message{"x", []attribute{{"v", `\`}}}},
	} {
		m, err := parse(test.line)
		require.NoError(t, err, test.line)
		assert.Equal(t, test.want, m, test.line)
	}
}

func TestParseRejects(t *testing.T) {
	for line, why := range map[string]string{
		"":                                 "does not begin with cmd=",
		"put key=a":                        "does not begin with cmd=",
		"cmd=":                             "no command",
		"cmd= key=a":                       "no command",
		"cmd=put key":                      "not key=value",
		"cmd=put key value=1":              "not key=value",
		"cmd=put =a":                       "not key=value",
		"cmd=put key=a key=b":              "occurs twice",
		"cmd=put cmd=get":                  "occurs twice",
		"cmd=put key=a\x00":                "control character",
		"cmd=put\tkey=a":                   "control character",
		"cmd=x" + strings.Repeat(" =", 99): "not key=value",
		"cmd=x a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 o=1 p=1 q=1 r=1 s=1 t=1 u=1 v=1 w=1 x=1 y=1 z=1 " +
			"A=1 B=1 C=1 D=1 E=1 F=1 G=1": "more than 32 attributes",
	} {
		_, err := parse(line)
		assert.ErrorContains(t, err, why, line)
	}
}

func TestIntegerIsDecimalOf32Bits(t *testing.T) {
	m, err := parse("cmd=set a=-7 b=0x10 c=4294967296 d=1e3 e=")
	require.NoError(t, err)
	n, err := m.integer("a")
	require.NoError(t, err)
	assert.Equal(t, -7, n)
	for _, key := range []string{"b", "c", "d", "e"} {
		_, err := m.integer(key)
		require.ErrorContains(t, err, key+" is not a number")
	}
	_, err = m.integer("f")
	require.ErrorContains(t, err, "set lacks f")
}

func TestLinesAreBounded(t *testing.T) {
	long := strings.Repeat("x", maxLine-1)
	in := bufio.NewReaderSize(strings.NewReader(long+"\nshort\n"+long+"y\n"), maxLine)
	line, err := readLine(in)
	require.NoError(t, err)
	assert.Equal(t, long, line)
	line, err = readLine(in)
	require.NoError(t, err)
	assert.Equal(t, "short", line)
	_, err = readLine(in)
	require.ErrorContains(t, err, "more than 8192 bytes")
}

func TestAStreamMustNotEndInsideALine(t *testing.T) {
	in := bufio.NewReaderSize(strings.NewReader("cmd=a\ncmd="), maxLine)
	_, err := readLine(in)
	require.NoError(t, err)
	_, err = readLine(in)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"cmd=init pmi_version=1 pmi_subversion=1",
		"cmd=get_result rc=0 msg=success value=(vector,(0,1,1))",
		`cmd=abort exitcode=5 message=too\ hot a=b`,
		"cmd=x =", "cmd=x a=\xff", "cmd=x a=\\", "mcmd=spawn",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		m, err := parse(line)
		if err != nil {
			return
		}
		// What was understood can be said again and is then understood in the same way, but for what a terminal would obey.
		var pairs []string
		for i, a := range m.attrs {
			pairs = append(pairs, a.key, escapeText(a.value))
			m.attrs[i].value = terminal.Line(a.value)
		}
		again, err := parse(strings.TrimSuffix(string(format(m.cmd, pairs...)), "\n"))
		require.NoError(t, err)
		assert.Equal(t, m, again)
	})
}
