// Package fasta reads protein sequences in the FASTA format.
package fasta

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// Bounds of what is read; more is an error.
const (
	MaxLine     = 1 << 20 // bytes of a line
	MaxSequence = 1 << 20 // residues of a sequence
	MaxRecords  = 1 << 24
	MaxResidues = 1 << 30 // of all sequences
)

// Record is a sequence with its name.
type Record struct {
	// ID is the first word of the header. Nothing says that it is unique.
	ID string
	// Sequence has letters in upper case: those of IUPAC's code for amino
	// acids, which are A to Z with B, J, X and Z ambiguous, and * for the end
	// of a translation.
	Sequence []byte
}

// ReadFile reads all records of a file; see Read.
func ReadFile(path string) ([]Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads all records of r, plain or compressed with gzip, which it tells
// by the first bytes. Lines end with LF or CR LF; blank lines are passed over.
// The error names the source, the line, the record and what is wrong with it;
// that there is no record at all is one, too.
func Read(source string, r io.Reader) ([]Record, error) {
	buffered := bufio.NewReader(r)
	r = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		r = unzipped
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxLine)
	var p parser
	number := 0
	for lines.Scan() {
		number++
		if err := p.line(number, bytes.TrimRightFunc(lines.Bytes(), unicode.IsSpace)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", source, number, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes", source, number+1, MaxLine)
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", source, number+1, err)
	case len(p.records) == 0:
		return nil, fmt.Errorf("%s: there is no record in it: FASTA records begin with >", source)
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", source, p.header, err)
	}
	return p.records, nil
}

// parser takes one line after the other.
type parser struct {
	records  []Record
	header   int // line of the last record's header
	residues int
}

func (p *parser) line(number int, line []byte) error {
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '>':
		if err := p.end(); err != nil {
			return fmt.Errorf("%w (its header is in line %d)", err, p.header)
		}
		p.header = number
		return p.begin(string(line[1:]))
	case len(p.records) == 0:
		return errors.New("this is no FASTA file: there is text before the first >")
	default:
		return p.letters(line)
	}
}

// begin starts a record.
func (p *parser) begin(header string) error {
	id, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	id, _, _ = strings.Cut(id, "\t")
	switch {
	case id == "":
		return errors.New("the record has no name after the >")
	case strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsGraphic(r) || r == unicode.ReplacementChar }):
		return fmt.Errorf("the record's name %q has characters that cannot be printed", id)
	case len(p.records) == MaxRecords:
		return fmt.Errorf("record %q: there are more than %d records", id, MaxRecords)
	}
	p.records = append(p.records, Record{ID: id})
	return nil
}

// letters adds to the last record.
func (p *parser) letters(line []byte) error {
	r := &p.records[len(p.records)-1]
	for i, letter := range line {
		upper := letter &^ 0x20
		switch {
		case 'A' <= upper && upper <= 'Z':
			line[i] = upper
		case letter != '*':
			return fmt.Errorf("record %q: %q in column %d stands for no amino acid; letters and * do", r.ID, rune(letter), i+1)
		}
	}
	r.Sequence = append(r.Sequence, line...)
	p.residues += len(line)
	if len(r.Sequence) > MaxSequence {
		return fmt.Errorf("record %q: the sequence is longer than %d residues", r.ID, MaxSequence)
	}
	if p.residues > MaxResidues {
		return fmt.Errorf("record %q: there are more than %d residues", r.ID, MaxResidues)
	}
	return nil
}

// end checks the last record.
func (p *parser) end() error {
	if n := len(p.records); n > 0 && len(p.records[n-1].Sequence) == 0 {
		return fmt.Errorf("record %q has no sequence", p.records[n-1].ID)
	}
	return nil
}
