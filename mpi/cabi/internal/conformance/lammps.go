package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
)

// lammpsInput has a crystal of 864 atoms melt.
const lammpsInput = `units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 20
run 100
`

// runLAMMPS runs Debian's LAMMPS. Temperature, energies and pressure of each step are to be those over Open MPI, in all digits.
func runLAMMPS(ctx context.Context, b *bench) error {
	if err := needs("lmp", "lammps"); err != nil {
		return err
	}
	return b.likeOpenMPI(ctx, openMPIProgram{
		ranks: 4, command: []string{"lmp", "-in", "in.melt", "-log", "none"}, input: map[string]string{"in.melt": lammpsInput},
		result: func(output, _ string) (string, error) { return thermo(output) },
	})
}

var thermoTable = regexp.MustCompile(`(?ms)^Step Temp .*?^Loop time`)

// thermo is the table of LAMMPS's output that says what it has computed.
func thermo(output string) (string, error) {
	table := thermoTable.FindString(output)
	if strings.Count(table, "\n") != 7 {
		return "", errors.New("LAMMPS prints no six lines of thermodynamic output")
	}
	return table, nil
}
