package core

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/matching"
)

func TestHint(t *testing.T) {
	const float64Sig = matching.Type(reflect.Float64)
	point := &Type{Sig: Compound | 1, Size: 16, Name: "point", Part: float64Sig}
	triple := &Type{Sig: Compound | 2, Size: 24, Name: "triple", Part: float64Sig}
	mixed := &Type{Sig: Compound | 3, Size: 16, Name: "mixed"}
	for _, d := range []*Type{point, triple, mixed} {
		Register(d)
	}
	for _, test := range []struct {
		sent, wanted matching.Type
		count, bytes int
		want         string
	}{
		{matching.Type(reflect.Uint32), matching.Type(reflect.Int32), 3, 12, ": both have 4 bytes, but other parts; receive it as uint32, and convert it"},
		{float64Sig, point.Sig, 6, 48, ": point is 2 of float64; receive it as float64, or send it as 3 of point"},
		{float64Sig, point.Sig, 5, 40, ": point is 2 of float64"},
		{point.Sig, float64Sig, 3, 48, ": point is 2 of float64; receive it as point, or send it as 6 of float64"},
		{point.Sig, triple.Sig, 3, 48, ": point is 2 of float64, triple is 3 of float64; receive it as point, or send it as 2 of triple"},
		{point.Sig, mixed.Sig, 1, 16, ": both have 16 bytes, but other parts; receive it as point, and convert it"},
		{Compound | 77, mixed.Sig, 2, 80, ": an element that was sent has 40 bytes, one of mixed has 16"},
		{matching.Type(reflect.Uint32), point.Sig, 1, 4, ""},
		{matching.Type(reflect.Uint32), point.Sig, 0, 0, ""},
		{float64Sig, Compound | 77, 1, 8, ""},
	} {
		assert.Equal(t, test.want, hint(test.sent, test.wanted, test.count, test.bytes))
	}
}
