package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// exportOf is the export of a function that has an implementation with these parameters and results.
func exportOf(t *testing.T, name string, params, results []string) (string, error) {
	t.Helper()
	for _, f := range table.Functions() {
		if f.Name == name {
			e := &export{f: f, variant: variant{implementation: &implementation{goName(name), params, results, true}}, on: "nil"}
			return e.text()
		}
	}
	require.Fail(t, "no such function", name)
	return "", nil
}

func TestExportConvertsWhatTheImplementationTakes(t *testing.T) {
	text, err := exportOf(t, "Irecv", []string{"*comm", "core.Buffer", "int", "int"}, []string{"*core.Request", "error"})
	require.NoError(t, err)
	assert.Equal(t, `
//export sctpmpi_Irecv
func sctpmpi_Irecv(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, source, tag C.int, comm C.uintptr_t,
	request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	h, err := reserveRequest()
	if err != nil {
		return fail(c, err)
	}
	r, err := mpiIrecv(c, b, rankOf(source), tagOf(tag))
	return giveReserved(c, request, h, r, err)
}
`, text)
}

func TestExportPassesResultsOnWithoutAnError(t *testing.T) {
	text, err := exportOf(t, "Cart_shift", []string{"*comm", "int", "C.int"}, []string{"int", "int", "error"})
	require.NoError(t, err)
	assert.Contains(t, text, `
	outRankSource, outRankDest, err := mpiCartShift(c, int(direction), disp)
	if err != nil {
		return fail(c, err)
	}
	*rank_source = rankFor(outRankSource)
	*rank_dest = rankFor(outRankDest)
	return 0
`)
}

func TestImplementationThatDoesNotFitIsNamed(t *testing.T) {
	for _, wrong := range []struct {
		name            string
		params, results []string
		says            string
	}{
		{"Comm_set_name", []string{"*comm"}, []string{"error"}, "no parameter takes the argument comm_name"},
		{"Comm_size", []string{"*comm", "*win"}, []string{"int"}, "no argument is for the parameters of types *win"},
		{"Comm_size", []string{"*comm"}, []string{"error"}, "no result is for the argument size"},
		{"Comm_free", []string{"*comm"}, []string{"int"}, "no argument is for the result of type int"},
		{"Comm_size", []string{"*comm"}, []string{"float64"}, "a result of type float64 cannot be passed to the argument size"},
	} {
		_, err := exportOf(t, wrong.name, wrong.params, wrong.results)
		assert.EqualError(t, err, wrong.says)
	}
}

func TestExportsAreByHandIfTheTableSaysSo(t *testing.T) {
	send := table.Function{Name: "Send", Export: "Send"}
	_, err := goExports([]table.Function{send}, nil, map[string]bool{"Send": true})
	assert.ErrorContains(t, err, `MPI_Send: functions.txt says "by hand" of exports that Go files have`)
	_, err = goExports([]table.Function{send}, map[string]*implementation{"mpiSned": {name: "mpiSned"}}, nil)
	assert.EqualError(t, err, "no function of MPI in the table has the implementation mpiSned")
}
