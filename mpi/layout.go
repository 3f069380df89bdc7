package mpi

// Layout says which part of a buffer belongs to which rank, in elements: rank
// i has Counts[i] elements from Displs[i] on. Without Displs the parts follow
// each other in the order of ranks. The buffer may have gaps, and elements
// after the last part; parts that are received must not overlap.
type Layout struct {
	Counts []int
	Displs []int
}
