package datatype

// Predefined types of a language. Several of them may have one kind: MPI_INT, MPI_INT32_T and MPI_INTEGER. To a program they are
// different ones, each with a name.

// Declare returns another predefined type of kind k, which has a name of its own.
//
// If it is loose its elements match all others, and so do those of the types made of it: only lengths are checked. Programs in C
// and Fortran often call the same memory by different types on its two sides, or receive several parts at one place of which they
// need none, and other libraries let them.
func Declare(k Kind, name string, loose bool) *Type {
	b := Basic(k)
	t := &Type{shape: b.shape, kind: k, unit: k, item: b.item, padded: true, loose: loose}
	t.SetName(name)
	t.Commit()
	return t
}

// Marker returns a type without elements whose displacement in a struct is the lower, or else the upper, bound of that (MPI_LB and
// MPI_UB, which MPI had before version 3).
func Marker(name string, isLower bool) *Type {
	which := upper
	if isLower {
		which = lower
	}
	var a assembly
	a.mark(which, 0, 0)
	t := &Type{shape: a.shape()}
	t.SetName(name)
	t.Commit()
	return t
}

// Loose reports whether the elements of t match all others: see Declare.
func (t *Type) Loose() bool { return t.loose }

// F90Real is the type of Fortran's numbers with p decimal digits and exponents up to r (MPI_Type_create_f90_real; MPI 4.1, section
// 19.1.6). A negative argument says nothing; one must not be. The type is predefined: there should be one for each pair of
// arguments.
func F90Real(p, r int64, loose bool) (*Type, error) {
	k, err := f90Real(CombinerF90Real, p, r)
	if err != nil {
		return nil, err
	}
	return f90(k, loose, CombinerF90Real, p, r), nil
}

// F90Complex is F90Real of complex numbers.
func F90Complex(p, r int64, loose bool) (*Type, error) {
	k, err := f90Real(CombinerF90Complex, p, r)
	if err != nil {
		return nil, err
	}
	pairs := map[Kind]Kind{Float32: Complex64, Float64: Complex128, LongDouble: LongDoubleComplex, Float128: Complex256}
	return f90(pairs[k], loose, CombinerF90Complex, p, r), nil
}

// F90Integer is the type of Fortran's integers with r decimal digits.
func F90Integer(r int64, loose bool) (*Type, error) {
	var k Kind
	switch {
	case r <= 2:
		k = Int8
	case r <= 4:
		k = Int16
	case r <= 9:
		k = Int32
	case r <= 18:
		k = Int64
	case r <= 38:
		k = Int128
	default:
		return nil, invalid(ErrArg, "%v: there are no integers of %d digits", CombinerF90Integer, r)
	}
	return f90(k, loose, CombinerF90Integer, r), nil
}

// f90Real is the smallest kind that has p digits and exponents up to r.
func f90Real(c Combiner, p, r int64) (Kind, error) {
	switch {
	case p < 0 && r < 0:
		return Invalid, invalid(ErrArg, "%v: neither the precision nor the range is given", c)
	case p <= 6 && r <= 37:
		return Float32, nil
	case p <= 15 && r <= 307:
		return Float64, nil
	case extended && p <= 18 && r <= 4931:
		return LongDouble, nil
	case p <= 33 && r <= 4931:
		return Float128, nil
	}
	return Invalid, invalid(ErrArg, "%v: there are no numbers of %d digits with exponents up to %d", c, p, r)
}

func f90(k Kind, loose bool, c Combiner, integers ...int64) *Type {
	t := Declare(k, c.String(), loose)
	t.contents = Contents{Combiner: c, Integers: integers}
	return t
}
