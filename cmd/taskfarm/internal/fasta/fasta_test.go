package fasta

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(text string) ([]Record, error) { return Read("test", strings.NewReader(text)) }

func TestRecords(t *testing.T) {
	for name, text := range map[string]string{
		"one line each":      ">a\nMKV\n>b\nWW\n",
		"several lines":      ">a\nM\nKV\n>b\nW\nW\n",
		"no end of line":     ">a\nMKV\n>b\nWW",
		"CR LF":              ">a\r\nMKV\r\n>b\r\nWW\r\n",
		"blanks":             "\n>a\n\nMKV  \n\n>b\nWW\n\n \n",
		"lower case":         ">a\nmkV\n>b\nww\n",
		"text after the ID":  ">a protein, 3 aa\nMKV\n>b\tanother\nWW\n",
		"blank before an ID": "> a\nMKV\n>  b\nWW\n",
	} {
		records, err := read(text)
		require.NoError(t, err, name)
		assert.Equal(t, []Record{{"a", []byte("MKV")}, {"b", []byte("WW")}}, records, name)
	}
}

func TestAllLettersOfTheAminoAcidCode(t *testing.T) {
	records, err := read(">a\nABCDEFGHIJKLMNOPQRSTUVWXYZ*\n")
	require.NoError(t, err)
	assert.Equal(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*", string(records[0].Sequence))
}

func TestOneIDMayOccurTwice(t *testing.T) {
	records, err := read(">a\nM\n>a\nK\n")
	require.NoError(t, err)
	assert.Len(t, records, 2)
}

func zip(t *testing.T, text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestGzipIsToldByItsContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain.fasta")
	// Two members in a row are one file (RFC 1952, section 2.2).
	require.NoError(t, os.WriteFile(path, append(zip(t, ">a\nM"), zip(t, "KV\n")...), 0o600))
	records, err := ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, []Record{{"a", []byte("MKV")}}, records)
}

func TestErrorsNameLineAndRecord(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "test: there is no record in it: FASTA records begin with >",
		"\n\n":                  "test: there is no record in it: FASTA records begin with >",
		"MKV\n":                 "test:1: this is no FASTA file: there is text before the first >",
		">\nMKV\n":              "test:1: the record has no name after the >",
		"> \nMKV\n":             "test:1: the record has no name after the >",
		">a\x1b[2J\nMKV\n":      `test:1: the record's name "a\x1b[2J" has characters that cannot be printed`,
		">a\xff\nMKV\n":         `test:1: the record's name "a\xff" has characters that cannot be printed`,
		">a\nMKV\n\n>b\nMK1V\n": `test:5: record "b": '1' in column 3 stands for no amino acid; letters and * do`,
		">a\nM-V\n":             `test:2: record "a": '-' in column 2 stands for no amino acid; letters and * do`,
		">a\nM V\n":             `test:2: record "a": ' ' in column 2 stands for no amino acid; letters and * do`,
		">a\nM\n>b\n\n>c\nM\n":  `test:5: record "b" has no sequence (its header is in line 3)`,
		">a\nM\n>b\n":           `test:3: record "b" has no sequence`,
	} {
		_, err := read(text)
		assert.EqualError(t, err, want, "%q", text)
	}
}

func TestLongLinesAndSequencesAreRefused(t *testing.T) {
	_, err := read(">a\n" + strings.Repeat("M", MaxLine+1))
	assert.EqualError(t, err, "test:2: the line is longer than 1048576 bytes")
	_, err = read(">a\n" + strings.Repeat(strings.Repeat("M", 1<<10)+"\n", MaxSequence>>10) + "M\n")
	assert.EqualError(t, err, `test:1026: record "a": the sequence is longer than 1048576 residues`)
}

func TestErrorsOfReading(t *testing.T) {
	_, err := ReadFile(filepath.Join(t.TempDir(), "missing.fasta"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "missing.fasta")

	dropped := errors.New("dropped")
	_, err = Read("test", io.MultiReader(strings.NewReader(">a\nMKV\n"), iotest.ErrReader(dropped)))
	assert.ErrorIs(t, err, dropped)
	assert.ErrorContains(t, err, "test:3")

	whole := zip(t, strings.Repeat(">a\nMKV\n", 1000))
	_, err = Read("test", bytes.NewReader(whole[:len(whole)-6]))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = Read("test", bytes.NewReader(whole[:4]))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(">a b\r\nMKV*\n\n>c\nww"))
	f.Add([]byte("\x1f\x8b\x08\x00\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		records, err := Read("test", bytes.NewReader(file))
		if err != nil {
			require.Empty(t, records)
			return
		}
		// What was read can be written and read again.
		var b bytes.Buffer
		for _, r := range records {
			require.NotEmpty(t, r.Sequence)
			b.WriteString(">" + r.ID + "\n" + string(r.Sequence) + "\n")
		}
		again, err := Read("again", &b)
		require.NoError(t, err)
		require.Equal(t, records, again)
	})
}
