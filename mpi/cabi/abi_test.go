package main_test

import (
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

// faces are the libraries that programs see.
var faces = []struct{ abi, library, include string }{
	{"std", "libmpi_abi.so.1", "include"},
	{"mpich", "libmpich.so.12", "include/mpich"},
	{"openmpi", "libmpi.so.40", "generated/openmpi"},
}

// twoFaces are for long tests of the library below: one face that converts values is enough there.
var twoFaces = faces[:2]

// functionsOf are the functions that an ABI has.
func functionsOf(abi string) (all []table.Function) {
	for _, f := range table.Functions() {
		if !f.Removed || abi != "std" {
			all = append(all, f)
		}
	}
	return all
}

func TestTheTableHasAllFunctionsOfTheStandard(t *testing.T) {
	var all, large, tool int
	for _, f := range functionsOf("std") {
		if f.Extension() {
			continue
		}
		all++
		if strings.HasSuffix(f.Name, "_c") {
			large++
		}
		if strings.HasPrefix(f.Name, "T_") {
			tool++
		}
	}
	assert.Equal(t, 664, all)
	assert.Equal(t, 161, large)
	assert.Equal(t, 51, tool)
}

func TestEachFunctionIsWeakByItsNameAndStrongAsPMPI(t *testing.T) {
	for _, face := range faces {
		symbols := map[string]string{}
		for line := range strings.Lines(output(t, exec.Command("nm", "-D", "--defined-only", filepath.Join(top, "lib", face.library)))) {
			if words := strings.Fields(line); len(words) == 3 {
				symbols[words[2]] = words[1]
			}
		}
		for _, f := range functionsOf(face.abi) {
			assert.Equal(t, "W", symbols[f.Symbol()], f.Name)
			assert.Equal(t, "T", symbols["P"+f.Symbol()], f.Name)
		}
	}
}

func TestLibrariesAreFoundByTheirNames(t *testing.T) {
	for _, face := range faces {
		dynamic := output(t, exec.Command("readelf", "-d", filepath.Join(top, "lib", face.library)))
		assert.Contains(t, dynamic, "Library soname: ["+face.library+"]")
		assert.Contains(t, dynamic, "Library runpath: [$ORIGIN]")
		assert.Contains(t, dynamic, "Shared library: [libsctpmpi.so]")
	}
	for _, name := range []string{"libmpi_abi.so", "libmpi_abi.so.0", "libmpich.so"} {
		_, err := os.Stat(filepath.Join(top, "lib", name))
		assert.NoError(t, err)
	}
}

func TestHeadersAreCleanInAllLanguages(t *testing.T) {
	for _, face := range faces {
		header := filepath.Join(top, face.include, "mpi.h")
		for _, language := range [][]string{{"gcc", "-xc", "-std=c99"}, {"gcc", "-xc", "-std=c11"}, {"g++", "-xc++", "-std=c++17"}} {
			args := append(language[1:], "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-long-long", "-fsyntax-only", "-include", header, os.DevNull)
			output(t, exec.Command(language[0], args...))
		}
	}
}

func TestHeadersDeclareAllFunctions(t *testing.T) {
	for _, face := range faces {
		header, err := os.ReadFile(filepath.Join(top, face.include, "mpi.h"))
		require.NoError(t, err)
		for _, f := range functionsOf(face.abi) {
			for _, prefix := range []string{"", "P"} {
				assert.Regexp(t, regexp.MustCompile(`(?m)^\w+ `+prefix+f.Symbol()+`\(`), string(header))
			}
		}
	}
}

// What the library does not have is in a list of its own on the page of functions.
func TestThePageSaysWhichFunctionsCDoesNotHave(t *testing.T) {
	page, err := os.ReadFile("../../docs/mpi-coverage.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Not in C\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\nThere are no events")
	says := regexp.MustCompile(`\bMPI_[A-Z][a-z]\w+`).FindAllString(section, -1)
	exported := symbols(t, filepath.Join(top, "lib/libsctpmpi.so"))
	var missing []string
	for _, f := range table.Functions() {
		if !f.Local && !f.Large && exported["sctpmpi_"+f.Export].Name == "" {
			missing = append(missing, f.Symbol())
		}
	}
	assert.ElementsMatch(t, missing, says)
}

func TestMarkersOfBounds(t *testing.T) {
	assert.Equal(t, "no errors\n", output(t, mpirun(t, compile(t, "mpich", "abi/bounds.c"))))
}

// The values are those of binaries that others have compiled. Each kind has some here by hand, so that a mistake in the table does not
// pass.
func TestConstantsHaveTheValuesOfTheABIs(t *testing.T) {
	for abi, lines := range map[string]string{
		"std": `MPI_COMM_WORLD==(MPI_Comm)0x101 MPI_COMM_SELF==(MPI_Comm)0x102 MPI_COMM_NULL==(MPI_Comm)0x100 MPI_INT==(MPI_Datatype)0x209
			MPI_DOUBLE==(MPI_Datatype)0x214 MPI_BYTE==(MPI_Datatype)0x247 MPI_COMPLEX32==(MPI_Datatype)0x2eb MPI_SUM==(MPI_Op)0x21
			MPI_NO_OP==(MPI_Op)0x3d MPI_REQUEST_NULL==(MPI_Request)0x180 MPI_GROUP_EMPTY==(MPI_Group)0x109 MPI_WIN_NULL==(MPI_Win)0x110
			MPI_FILE_NULL==(MPI_File)0x118 MPI_INFO_ENV==(MPI_Info)0x131 MPI_MESSAGE_NO_PROC==(MPI_Message)0x129
			MPI_ERRORS_RETURN==(MPI_Errhandler)0x143 MPI_SESSION_NULL==(MPI_Session)0x120 MPI_ANY_SOURCE==-1 MPI_ANY_TAG==-2
			MPI_PROC_NULL==-3 MPI_ROOT==-4 MPI_UNDEFINED==-32766 MPI_IN_PLACE==(void*)1 MPI_BOTTOM==(void*)0 MPI_THREAD_MULTIPLE==4096
			MPI_ERR_TRUNCATE==15 MPI_ERR_LASTCODE==16383 MPIX_ERR_REVOKED==103 MPI_T_ERR_INVALID==1006 MPI_TAG_UB==501 MPI_WIN_MODEL==605 MPI_MODE_RDWR==32
			MPI_LOCK_SHARED==302 MPI_IDENT==201 MPI_CART==211 MPI_SEEK_SET==403 MPI_ORDER_FORTRAN==15 MPI_COMBINER_RESIZED==116
			MPI_MAX_ERROR_STRING==512 MPI_VERSION==5 sizeof(MPI_Status)==32 sizeof(MPI_Aint)==8 sizeof(MPI_Count)==8`,
		"mpich": `MPI_COMM_WORLD==0x44000000 MPI_COMM_SELF==0x44000001 MPI_COMM_NULL==0x04000000 MPI_INT==0x4c000405 MPI_DOUBLE==0x4c00080b
			MPI_BYTE==0x4c00010d MPI_DOUBLE_INT==(int)0x8c000001 MPI_LB==0x4c000010 MPI_SUM==0x58000003 MPI_NO_OP==0x5800000e
			MPI_REQUEST_NULL==0x2c000000 MPI_GROUP_EMPTY==0x48000000 MPI_WIN_NULL==0x20000000 MPI_FILE_NULL==(MPI_File)0
			MPI_INFO_ENV==0x5c000001 MPI_MESSAGE_NO_PROC==0x6c000000 MPI_ERRORS_RETURN==0x54000001 MPI_SESSION_NULL==0x38000000
			MPI_ANY_SOURCE==-2 MPI_ANY_TAG==-1 MPI_PROC_NULL==-1 MPI_ROOT==-3 MPI_UNDEFINED==-32766 MPI_IN_PLACE==(void*)-1
			MPI_STATUS_IGNORE==(MPI_Status*)1 MPI_THREAD_MULTIPLE==3 MPI_ERR_TRUNCATE==14 MPI_ERR_LASTCODE==0x3fffffff MPIX_ERR_PROC_FAILED==101 MPIX_ERR_PROC_FAILED_PENDING==102
			MPIX_ERR_REVOKED==103
			MPI_T_ERR_INVALID==74 MPI_TAG_UB==0x64400001 MPI_WIN_MODEL==0x66000009 MPI_MODE_RDWR==8 MPI_LOCK_SHARED==235 MPI_IDENT==0
			MPI_CART==2 MPI_SEEK_SET==600 MPI_ORDER_FORTRAN==57 MPI_COMBINER_RESIZED==18 MPI_MAX_PROCESSOR_NAME==128 sizeof(MPI_Status)==20`,
		"openmpi": `MPI_COMM_WORLD==(MPI_Comm)(void*)ompi_mpi_comm_world MPI_INT==(MPI_Datatype)(void*)ompi_mpi_int MPI_ANY_SOURCE==-1
			MPI_ANY_TAG==-1 MPI_PROC_NULL==-2 MPI_ROOT==-4 MPI_UNDEFINED==-32766 MPI_IN_PLACE==(void*)1 MPI_STATUS_IGNORE==(MPI_Status*)0
			MPI_THREAD_MULTIPLE==3 MPI_ERR_TRUNCATE==15 MPI_ERR_LASTCODE==92 MPI_TAG_UB==0 MPI_KEYVAL_INVALID==-1 MPI_LOCK_SHARED==2
			MPI_MAX_ERROR_STRING==256 MPI_WIN_UNIFIED==0 sizeof(MPI_Status)==24`,
	} {
		program := "#include <mpi.h>\n#include <stdio.h>\nint main(void) {\n"
		for _, condition := range strings.Fields(lines) {
			program += fmt.Sprintf("\tif (!(%s)) puts(%q);\n", condition, condition)
		}
		source := filepath.Join(t.TempDir(), "values.c")
		require.NoError(t, os.WriteFile(source, []byte(program+"}\n"), 0o644))
		binary := filepath.Join(t.TempDir(), "values")
		output(t, compiler(bin("mpicc"), abi, source, "-o", binary))
		assert.Empty(t, output(t, exec.Command(binary)), abi)
	}
}

func TestGeneratedExportsAreUpToDate(t *testing.T) {
	for _, name := range []string{"exports.h", "exports.go"} {
		fresh := filepath.Join(t.TempDir(), name)
		output(t, exec.Command("go", "run", "./internal/generate", fresh))
		want, err := os.ReadFile(fresh)
		require.NoError(t, err)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "run: go generate . in mpi/cabi")
	}
}
