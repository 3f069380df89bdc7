package align

import (
	"strconv"
	"strings"
)

// Alphabet lists the letters of BLOSUM62 in the order of its rows and columns.
// A residue's code is its letter's index here.
const Alphabet = "ARNDCQEGHILKMFPSTWYVBZX*"

// table holds the similarity of each two letters in half bits (S. Henikoff and
// J. G. Henikoff, Amino acid substitution matrices from protein blocks, PNAS
// 89, 1992).
const table = `
   A  R  N  D  C  Q  E  G  H  I  L  K  M  F  P  S  T  W  Y  V  B  Z  X  *
A  4 -1 -2 -2  0 -1 -1  0 -2 -1 -1 -1 -1 -2 -1  1  0 -3 -2  0 -2 -1  0 -4
R -1  5  0 -2 -3  1  0 -2  0 -3 -2  2 -1 -3 -2 -1 -1 -3 -2 -3 -1  0 -1 -4
N -2  0  6  1 -3  0  0  0  1 -3 -3  0 -2 -3 -2  1  0 -4 -2 -3  3  0 -1 -4
D -2 -2  1  6 -3  0  2 -1 -1 -3 -4 -1 -3 -3 -1  0 -1 -4 -3 -3  4  1 -1 -4
C  0 -3 -3 -3  9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1 -3 -3 -2 -4
Q -1  1  0  0 -3  5  2 -2  0 -3 -2  1  0 -3 -1  0 -1 -2 -1 -2  0  3 -1 -4
E -1  0  0  2 -4  2  5 -2  0 -3 -3  1 -2 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
G  0 -2  0 -1 -3 -2 -2  6 -2 -4 -4 -2 -3 -3 -2  0 -2 -2 -3 -3 -1 -2 -1 -4
H -2  0  1 -1 -3  0  0 -2  8 -3 -3 -1 -2 -1 -2 -1 -2 -2  2 -3  0  0 -1 -4
I -1 -3 -3 -3 -1 -3 -3 -4 -3  4  2 -3  1  0 -3 -2 -1 -3 -1  3 -3 -3 -1 -4
L -1 -2 -3 -4 -1 -2 -3 -4 -3  2  4 -2  2  0 -3 -2 -1 -2 -1  1 -4 -3 -1 -4
K -1  2  0 -1 -3  1  1 -2 -1 -3 -2  5 -1 -3 -1  0 -1 -3 -2 -2  0  1 -1 -4
M -1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5  0 -2 -1 -1 -1 -1  1 -3 -1 -1 -4
F -2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6 -4 -2 -2  1  3 -1 -3 -3 -1 -4
P -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7 -1 -1 -4 -3 -2 -2 -1 -2 -4
S  1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4  1 -3 -2 -2  0  0  0 -4
T  0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5 -2 -2  0 -1 -1  0 -4
W -3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11  2 -3 -4 -3 -2 -4
Y -2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7 -1 -3 -2 -1 -4
V  0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4 -3 -2 -1 -4
B -2 -1  3  4 -3  0  1 -1  0 -3 -4  0 -3 -3 -2  0 -1 -4 -3 -3  4  1 -1 -4
Z -1  0  0  1 -3  3  4 -2  0 -3 -3  1 -1 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
X  0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2  0  0 -2 -1 -1 -1 -1 -1 -4
* -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4  1
`

// blosum62 is the table by codes.
var blosum62 = func() (scores [len(Alphabet)][len(Alphabet)]int8) {
	for b, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		for q, field := range strings.Fields(line)[1:] {
			score, err := strconv.ParseInt(field, 10, 8)
			if err != nil {
				panic(err)
			}
			scores[b][q] = int8(score)
		}
	}
	return scores
}()

// minScore is the least entry of blosum62.
const minScore = -4

// codes maps bytes to codes. The letters that BLOSUM62 lacks count as the
// residue most like them: selenocysteine (U) as cysteine, pyrrolysine (O) as
// lysine, and J, which stands for leucine or isoleucine, as leucine.
var codes = func() (codes [256]byte) {
	letters := map[byte]byte{'U': 'C', 'O': 'K', 'J': 'L'}
	for _, letter := range []byte(Alphabet) {
		letters[letter] = letter
	}
	for i := range codes {
		codes[i] = byte(strings.IndexByte(Alphabet, 'X'))
	}
	for letter, like := range letters {
		code := byte(strings.IndexByte(Alphabet, like))
		codes[letter] = code
		codes[letter|0x20] = code // lower case; '*' has that bit anyway
	}
	return codes
}()

// Encode appends the codes of a sequence's letters to dst. Upper and lower
// case count the same; a byte that is no letter counts as X, any residue.
func Encode(dst, sequence []byte) []byte {
	for _, letter := range sequence {
		dst = append(dst, codes[letter])
	}
	return dst
}
