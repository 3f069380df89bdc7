package main_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// openMPIFolder has Open MPI's own libraries. Without them and their header the test is skipped.
func openMPIFolder(t *testing.T) string {
	t.Helper()
	need(t, "openmpi-bin libopenmpi-dev", "mpicc.openmpi")
	found, _ := filepath.Glob("/usr/lib/*/openmpi/include/mpi.h")
	if len(found) == 0 {
		t.Skip("not run: Open MPI's mpi.h is missing (apt-get install libopenmpi-dev)")
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(found[0])))
}

// compiledByOpenMPI is a program of testdata that Open MPI's own compiler has built with its own header and library.
func compiledByOpenMPI(t *testing.T, source string, flags ...string) string {
	t.Helper()
	openMPIFolder(t)
	folder := t.TempDir()
	compiler, out := "mpicc.openmpi", filepath.Join(folder, "program")
	switch filepath.Ext(source) {
	case ".cc":
		compiler = "mpic++.openmpi"
	case ".F90":
		need(t, "gfortran libopenmpi-dev", "gfortran", "mpifort.openmpi")
		compiler = "mpifort.openmpi"
		// Where Debian has two MPIs, this compiler finds the other one under the name that it asks for.
		flags = append(flags, "-J"+folder, "-L"+filepath.Join(openMPIFolder(t), "openmpi/lib"), "-fallow-argument-mismatch", "-Wno-argument-mismatch",
			"-Wno-unused-dummy-argument", "-Wno-unused-variable")
	}
	output(t, exec.Command(compiler, append([]string{"-Wall", filepath.Join("testdata", source), "-o", out, "-pthread"}, flags...)...))
	return out
}

// Each program is as Open MPI's compiler has made it, and runs over this library.
func TestProgramsOfOpenMPI(t *testing.T) {
	fixed := []string{"-no-pie", "-fno-pie"} // it has copies of the library's objects
	for _, test := range []struct {
		source string
		ranks  string
		flags  []string
	}{
		{"abi/ring.c", "2", nil}, {"abi/openmpi.c", "3", nil}, {"abi/openmpi.c", "2", fixed}, {"abi/openmpi.c", "1", []string{"-Wl,-z,now"}},
		{"types.c", "1", fixed}, {"numbers.c", "1", nil}, {"callbacks.c", "3", nil}, {"refusals.c", "3", fixed}, {"threads.c", "2", nil},
		{"files.c", "3", nil}, {"windows.c", "2", fixed},
	} {
		cmd := mpirun(t, "-n", test.ranks, compiledByOpenMPI(t, test.source, test.flags...))
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, test.source)
		assert.Equal(t, "no errors\n", string(out), "%s %v", test.source, test.flags)
	}
}

// Open MPI 5.0 has the same library's name. Its header is in no package of Debian 12: the program has by hand what that would have given it.
func TestProgramsOfOpenMPI5(t *testing.T) {
	need(t, "gcc", "gcc")
	for _, flags := range [][]string{nil, {"-no-pie", "-fno-pie"}, {"-Wl,-z,now"}} {
		program := filepath.Join(t.TempDir(), "program")
		args := append([]string{"-Wall", "-Wextra", "testdata/abi/openmpi5.c", "-o", program, filepath.Join(top, "lib/libmpi.so.40")}, flags...)
		output(t, exec.Command("gcc", args...))
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "3", program)), flags)
	}
}

// A shell does not tell what its script starts, and neither does what loads a module, as Python does. --abi has them have the variables of
// Open MPI's launcher.
func TestProgramsOfOpenMPIThatNoFileTells(t *testing.T) {
	program, module := compiledByOpenMPI(t, "abi/openmpi.c"), compiledByOpenMPI(t, "abi/openmpi.c", "-shared", "-fPIC")
	loader := filepath.Join(t.TempDir(), "loader")
	output(t, exec.Command("gcc", "-Wall", "-DPLUGIN", "testdata/abi/openmpi.c", "-o", loader))
	for _, args := range [][]string{{"sh", "-c", `"$0"`, program}, {"env", program}, {loader, module}} {
		assert.Equal(t, "no errors\n", output(t, mpirun(t, append([]string{"-n", "2", "-x", "SCRIPT=1"}, args...)...)))
		assert.Equal(t, "no errors\n", output(t, mpirun(t, append([]string{"-n", "2", "--abi", "openmpi"}, args...)...)))
	}
}

// Compilers for C++ link a library for removed bindings with each program. What it needs of the inside of Open MPI it is told when it asks.
func TestBindingsForCxxOfOpenMPI(t *testing.T) {
	need(t, "g++", "g++")
	assert.Equal(t, "0 of 4, half 2\n", output(t, mpirun(t, "-n", "4", compiledByOpenMPI(t, "abi/openmpi.cc"))))
	out, err := mpirun(t, compiledByOpenMPI(t, "abi/openmpi.cc", "-DINSIDE")).CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "mpi: this program uses ompi_op_set_cxx_callback, a function of the inside of Open MPI: "+
		"build it with sctpmpi's mpicc or mpifort, or start it by Open MPI's own mpirun\n")
}

// Open MPI's compiler for Fortran has three ways to make MPI known. Its modules are Debian's, and call this library's functions.
func TestFortranOfOpenMPI(t *testing.T) {
	for _, way := range [][]string{
		{"-DF08"}, {"-DMODULE"}, {"-DMPIFH"}, {"-DF08", "-no-pie", "-fno-pie"}, {"-DMODULE", "-O2", "-DMIXED", "testdata/abi/openmpi_mixed.c"},
		{"-DMPIFH", "-no-pie", "-fno-pie", "-Wl,-z,now"},
	} {
		program := compiledByOpenMPI(t, "abi/openmpi.F90", way...)
		for _, args := range [][]string{{"-n", "1", program}, {"-n", "3", program}, {"-n", "2", "sh", "-c", `"$0"`, program}} { // a script does not tell
			cmd := mpirun(t, args...)
			cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, way)
			assert.Equal(t, "no errors\n", string(out), "%v %v", way, args)
		}
		assert.Contains(t, output(t, mpirun(t, "doctor", program)), ", and takes sctpmpi's\n")
	}
}

// Open MPI's own library has none of these functions, so the program is linked with ours.
func TestFortranOfMPI4(t *testing.T) {
	program := compiledByOpenMPI(t, "abi/openmpi_new.F90", filepath.Join(top, "lib/libmpi.so.40"))
	assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "3", program)))
}

// A wrong handle of Fortran is named as the program has passed it.
func TestFortranHearsWhichHandleIsWrong(t *testing.T) {
	out, err := mpirun(t, compiledByOpenMPI(t, "abi/openmpi.F90", "-DMPIFH", "-DWRONG")).CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "MPI_Barrier: 0x4d2 is no communicator")
}

func TestAnyNumberAsAHandleOfFortran(t *testing.T) {
	program := compiledByOpenMPI(t, "abi/openmpi_handles.c", filepath.Join(top, "lib/libmpi.so.40")) // which has the functions of Fortran too
	assert.Equal(t, "no errors\n", output(t, mpirun(t, program)))
}

// Whatever a program takes of Open MPI's library, ours has it, and objects have the size that programs have copied.
func TestLibraryHasAllOfOpenMPIs(t *testing.T) {
	theirs, ours := symbols(t, filepath.Join(openMPIFolder(t), "libmpi.so.40")), symbols(t, filepath.Join(top, "lib/libmpi.so.40"))
	names, objects := 0, 0
	for name, symbol := range theirs {
		if !regexp.MustCompile(`^P?MPIX?_|^OMPI_C_|^ompi_(mpi_|request_null|message_n)`).MatchString(name) {
			continue
		}
		isObject := elf.ST_TYPE(symbol.Info) == elf.STT_OBJECT
		if !isObject && strings.HasPrefix(name, "ompi_") {
			continue // the inside
		}
		if names++; !assert.True(t, ours[name].Name != "", name) {
			continue
		}
		assert.Equal(t, elf.ST_TYPE(symbol.Info), elf.ST_TYPE(ours[name].Info), name)
		if isObject {
			objects++
			assert.Equal(t, symbol.Size, ours[name].Size, name)
		}
	}
	assert.Greater(t, names, 900)
	assert.Greater(t, objects, 150)

	// Its library for Fortran.
	fortran := symbols(t, filepath.Join(openMPIFolder(t), "libmpi_mpifh.so.40"))
	assert.Greater(t, len(fortran), 5000)
	for name := range fortran {
		if name != "ompi_intercept_extra_state_t_class" && name != "mpiext_pcollreq_mpifh_dummy" { // the inside
			assert.True(t, ours[name].Name != "", name)
		}
	}

	// Its libraries for C++ and the modules of Fortran find what they need, too.
	preload := filepath.Join(top, "lib/libmpi.so.40") + ":" + filepath.Join(top, "lib/libmpi_mpifh.so.40")
	for _, name := range []string{"usempif08", "usempi_ignore_tkr", "cxx"} {
		if found, _ := filepath.Glob("/usr/lib/*/libmpi_" + name + ".so.40"); len(found) > 0 {
			preload += ":" + found[0]
		}
	}
	cmd := exec.Command("/bin/true")
	cmd.Env = append(os.Environ(), "LD_BIND_NOW=1", "LD_PRELOAD="+preload)
	assert.Empty(t, output(t, cmd))
}

// symbols are those that a library defines.
func symbols(t *testing.T, library string) map[string]elf.Symbol {
	t.Helper()
	f, err := elf.Open(library)
	require.NoError(t, err)
	defer f.Close()
	list, err := f.DynamicSymbols()
	require.NoError(t, err)
	all := map[string]elf.Symbol{}
	for _, s := range list {
		if s.Section != elf.SHN_UNDEF {
			all[s.Name] = s
		}
	}
	return all
}

// Open MPI's own header says what the table has, but for what later versions have added.
func TestConstantsAreThoseOfOpenMPIsHeader(t *testing.T) {
	openMPIFolder(t)
	folder := t.TempDir()
	source := filepath.Join(folder, "constants.c")
	require.NoError(t, os.WriteFile(source, []byte("#include <mpi.h>\n"), 0o644))
	header := map[string]bool{}
	for _, name := range regexp.MustCompile(`\bMPI_\w+`).FindAllString(output(t, exec.Command("mpicc.openmpi", "-E", "-dD", source)), -1) {
		header[name] = true
	}
	var program strings.Builder
	program.WriteString("#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv) {\n\t(void)argv;\n")
	compared := 0
	for _, c := range table.Constants() {
		name, condition := "MPI_"+c.Name, ""
		switch {
		case !header[name] || strings.HasSuffix(name, "_INTEGER") && c.Kind == "combiner" || name == "MPI_LB" || name == "MPI_UB": // removed, and errors in this header
			continue
		case c.Object != "":
			condition = fmt.Sprintf("(void *)%s == (void *)&%s", name, c.Object)
			if c.OpenMPI != nil {
				functions := map[string]string{"type": "Type"}[c.Kind]
				if functions == "" {
					functions = strings.ToUpper(c.Kind[:1]) + c.Kind[1:]
				}
				condition += fmt.Sprintf(" && (argc > 1 || MPI_%s_c2f(%s) == %d)", functions, name, *c.OpenMPI)
			}
		case c.OpenMPI != nil:
			condition = fmt.Sprintf("(long long)%s == %d", name, *c.OpenMPI)
		default:
			condition = "!\"the table has it\""
		}
		compared++
		fmt.Fprintf(&program, "\tif (!(%s)) puts(%q);\n", condition, name)
	}
	assert.Greater(t, compared, 300)
	require.NoError(t, os.WriteFile(source, []byte(program.String()+"\treturn 0;\n}\n"), 0o644))
	binary := filepath.Join(folder, "constants")
	output(t, exec.Command("mpicc.openmpi", "-w", source, "-o", binary))
	assert.Empty(t, output(t, mpirun(t, "sh", "-c", `"$0"`, binary)), "our library")
	cmd := exec.Command(binary, "theirs") // which convert no handle before MPI_Init
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+openMPIFolder(t))
	assert.Empty(t, output(t, cmd), "Open MPI's")
}

// No --abi is needed: the program tells.
func TestMpirunTakesOurLibraryByItself(t *testing.T) {
	for _, face := range faces {
		program, library := filepath.Join(t.TempDir(), "ring"), filepath.Join(top, "lib", face.library)
		output(t, exec.Command("gcc", "-I"+filepath.Join(top, face.include), "testdata/abi/ring.c", "-o", program, library)) // no place of the library
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program)))
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", "env", program)))
		assert.Contains(t, output(t, mpirun(t, "doctor", program)), ", and takes sctpmpi's\n")
	}
}

// What Debian calls libmpich.so.12 others call libmpi.so.12.
func TestMPICHsLibraryHasBothNames(t *testing.T) {
	folder := t.TempDir()
	object, library, program := filepath.Join(folder, "ring.o"), filepath.Join(folder, "libmpi.so.12"), filepath.Join(folder, "ring")
	output(t, exec.Command("gcc", "-I"+filepath.Join(top, "include/mpich"), "-c", "testdata/abi/ring.c", "-o", object))
	var source strings.Builder
	for _, name := range regexp.MustCompile(`\bMPI_\w+`).FindAllString(output(t, exec.Command("nm", "-u", object)), -1) {
		source.WriteString("void " + name + "(void) {}\n")
	}
	compile := exec.Command("gcc", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.12", "-o", library, "-x", "c", "-")
	compile.Stdin = strings.NewReader(source.String())
	output(t, compile)
	output(t, exec.Command("gcc", object, "-o", program, library))
	assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program)))
}
