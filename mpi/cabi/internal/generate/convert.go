package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// bitKinds are kinds of which values are combined.
var bitKinds = map[string]bool{"amode": true, "assertion": true}

// unconverted are kinds of constants that are no arguments, or that C files convert by hand.
var unconverted = map[string]bool{"code": true, "buffer": true, "undefined": true, "length": true, "overhead": true, "flavor": true, "model": true}

// value is a constant's number in the ABI, nil if it has none. Handles of Open MPI are no numbers.
func (a *abi) value(c table.Constant) *int64 {
	switch {
	case a == mpich:
		return c.MPICH
	case a == openMPI && c.Object != "":
		return nil
	case a == openMPI:
		return c.OpenMPI
	case c.Hidden:
		return nil
	}
	return c.Std
}

// differs is whether some constant of a kind has another number in the ABI than in the standard's.
func (a *abi) differs(kind string) bool {
	return slices.ContainsFunc(table.Constants(), func(c table.Constant) bool {
		return c.Kind == kind && a.value(c) != nil && (c.Std == nil || *a.value(c) != *c.Std)
	})
}

// conversions are C functions that convert each kind of handles and constants: in, from the ABI's number to the canonical one,
// and out.
func (a *abi) conversions() string {
	var b strings.Builder
	if a == openMPI {
		fmt.Fprintf(&b, "#include \"%s_handles.h\"\n", a.name)
		b.WriteString(openMPIHandles())
	}
	var kinds []string
	all := map[string][]table.Constant{}
	for _, c := range table.Constants() {
		if all[c.Kind] == nil {
			kinds = append(kinds, c.Kind)
		}
		all[c.Kind] = append(all[c.Kind], c)
	}
	for _, kind := range kinds {
		switch {
		case kind == "code":
			if a.converts {
				a.numbers(&b, "class", all[kind])
			}
		case unconverted[kind] && kind != "flavor" && kind != "model":
		case table.Handles[kind] != "":
			a.handles(&b, kind, all[kind])
		case !a.converts:
			fmt.Fprintf(&b, "#define %[1]s_in(v) (v)\n#define %[1]s_out(v) (v)\n", kind)
		default:
			a.numbers(&b, kind, all[kind])
		}
	}
	return b.String()
}

// handles converts handles. In MPICH's ABI, a handle that is not predefined is the canonical one, of 31 bits, with the bit above set:
// no predefined handle of its kind has the same number. Any other is no handle of MPICH's, but may be one of another ABI, of which
// Go tells the program: it gets a bit that no canonical handle has. Open MPI's are converted by shim/openmpi_handles.h.
func (a *abi) handles(b *strings.Builder, kind string, constants []table.Constant) {
	t := table.Handles[kind]
	switch {
	case !a.converts:
		fmt.Fprintf(b, "#define %[1]s_in(h) ((uintptr_t)(h))\n#define %[1]s_out(h) ((%[2]s)(h))\n", kind, t)
		return
	case a == openMPI:
		fmt.Fprintf(b, "#define %[1]s_in(h) handle_in(h)\n#define %[1]s_out(h) ((%[2]s)handle_out(h))\n", kind, t)
		return
	}
	in, out := a.pairs(constants)
	fmt.Fprintf(b, "static inline uintptr_t %s_in(%s h) {\n\tswitch ((uint32_t)(uintptr_t)h) {\n", kind, t)
	for _, p := range in {
		fmt.Fprintf(b, "\tcase %#xu: return %#x;\n", uint32(p[0]), p[1])
	}
	fmt.Fprintf(b, "\t}\n\tif ((uint32_t)(uintptr_t)h >> 31) return (uintptr_t)h & INT32_MAX;\n\treturn h ? (uint32_t)(uintptr_t)h | (uintptr_t)1 << 32 : 0;\n}\n")
	fmt.Fprintf(b, "static inline %[2]s %[1]s_out(uintptr_t h) {\n\tswitch (h) {\n", kind, t)
	for _, p := range out {
		fmt.Fprintf(b, "\tcase %#x: return (%s)%#x;\n", p[0], t, uint32(p[1]))
	}
	fmt.Fprintf(b, "\t}\n\treturn (%s)(intptr_t)(int)(h | 1u << 31);\n}\n", t)
}

// foreign are kinds of numbers among which a program may well have one that is no constant of its ABI, but one of the standard's:
// tag -2 is a wrong tag of MPICH's and Open MPI's, but the standard's MPI_ANY_TAG. It is passed as another number, which is wrong for every function but
// MPI_Type_create_darray, of which 19 is a block length.
var foreign = map[string]bool{"rank": true, "tag": true, "distribution_argument": true}

// foreignNumber is what the foreign constant of a kind becomes; each has only one. Go has it too.
const foreignNumber = -1 << 30

// foreigner is the number of the standard's constants that is not one of the ABI's.
func (a *abi) foreigner(constants []table.Constant) int64 {
	in, out := a.pairs(constants)
	for _, p := range out {
		if !slices.ContainsFunc(in, func(q [2]int64) bool { return q[0] == p[0] }) {
			return p[0]
		}
	}
	panic("generate: " + a.name + " has all numbers of the standard's: " + constants[0].Name)
}

// numbers converts constants that are integers.
func (a *abi) numbers(b *strings.Builder, kind string, constants []table.Constant) {
	t := "int"
	if kind == "displacement" {
		t = "int64_t"
	}
	in, out := a.pairs(constants)
	if foreign[kind] {
		n := a.foreigner(constants)
		in, out = append(in, [2]int64{n, foreignNumber}), append(out, [2]int64{foreignNumber, n})
	}
	for i, ps := range [][][2]int64{in, out} {
		fmt.Fprintf(b, "static inline %[1]s %[2]s_%[3]s(%[1]s v) {\n", t, kind, [2]string{"in", "out"}[i])
		if bitKinds[kind] {
			known := int64(0)
			fmt.Fprintf(b, "\treturn ")
			for _, p := range ps {
				known |= p[0]
				fmt.Fprintf(b, "((v & %d) ? %d : 0) | ", p[0], p[1])
			}
			fmt.Fprintf(b, "((v & ~%d) ? 1 << 30 : 0);\n}\n", known)
			continue
		}
		fmt.Fprintf(b, "\tswitch (v) {\n")
		for _, p := range ps {
			fmt.Fprintf(b, "\tcase %d: return %d;\n", p[0], p[1])
		}
		fmt.Fprintf(b, "\t}\n\treturn v;\n}\n")
	}
}

// pairs are the numbers of the ABI with the canonical ones, and the other way round. Where two constants have the same
// number the first counts.
func (a *abi) pairs(constants []table.Constant) (in, out [][2]int64) {
	ins, outs := map[int64]bool{}, map[int64]bool{}
	for _, c := range constants {
		v := a.value(c)
		if c.Std == nil || v == nil {
			continue
		}
		if !ins[*v] {
			ins[*v] = true
			in = append(in, [2]int64{*v, *c.Std})
		}
		if !outs[*c.Std] {
			outs[*c.Std] = true
			out = append(out, [2]int64{*c.Std, *v})
		}
	}
	return in, out
}
