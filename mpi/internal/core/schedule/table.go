package schedule

// table says how algorithms are chosen: see row. It follows virtual time on a network of 10 µs and 10 Gbit/s, without and
// with 1 µs of each rank's own for a message. TestTableIsNearTheBest prints where another choice would be better; with
// SCTPMPI_TEST_LONG=1 for more ranks.
var table = [operations][]row{
	OpBarrier: {
		{unlimited, unlimited, fewMessages, Choice{Tree, 0}},
		{unlimited, unlimited, always, Choice{Dissemination, 0}},
	},
	OpBcast: {
		{2, unlimited, always, Choice{Binomial, 0}},
		{unlimited, 16 << 10, always, Choice{Binomial, 0}},
		{8, 64 << 10, always, Choice{ScatterAllgather, 0}},
		{8, 192 << 10, always, Choice{Chain, 8 << 10}},
		{8, 512 << 10, always, Choice{Chain, 16 << 10}},
		{unlimited, 256 << 10, always, Choice{BinaryTree, 8 << 10}},
		{24, 512 << 10, always, Choice{Chain, 8 << 10}},
		{unlimited, 512 << 10, always, Choice{BinaryTree, 8 << 10}},
		{8, 4 << 20, always, Choice{Chain, 32 << 10}},
		{32, 4 << 20, always, Choice{Chain, 16 << 10}},
		{unlimited, 4 << 20, always, Choice{BinaryTree, 16 << 10}},
		{64, unlimited, always, Choice{Chain, 128 << 10}},
		{unlimited, unlimited, always, Choice{BinaryTree, 64 << 10}},
	},
	OpReduce: {
		{unlimited, 12 << 10, always, Choice{Binomial, 0}},
		{2, 128 << 10, always, Choice{Binomial, 0}},
		{unlimited, unlimited, commuting, Choice{Circulant, 0}},
		{2, unlimited, always, Choice{Binomial, 0}},
		{unlimited, unlimited, always, Choice{Halving, 0}},
	},
	OpAllreduce: {
		{unlimited, 16 << 10, fewMessages, Choice{Tree, 0}},
		{16, 1 << 10, uneven, Choice{Gathered, 0}},
		{32, 128, uneven, Choice{Gathered, 0}},
		{2, 128 << 10, always, Choice{Doubling, 0}},
		{unlimited, 16 << 10, always, Choice{Doubling, 0}},
		{unlimited, unlimited, commuting, Choice{Circulant, 0}},
		{unlimited, unlimited, always, Choice{Halving, 0}},
	},
	OpReduceScatter: {
		{16, 256 << 10, always, Choice{Pairwise, 0}},
		{32, 128 << 10, always, Choice{Pairwise, 0}},
		{unlimited, unlimited, commuting, Choice{Circulant, 0}},
		{16, unlimited, always, Choice{Pairwise, 0}},
		{unlimited, 64 << 10, always, Choice{ReduceThenScatter, 0}},
		{unlimited, unlimited, always, Choice{Pairwise, 0}},
	},
	OpScan: {
		{2, unlimited, always, Choice{Chain, 16 << 10}},
		{4, 24 << 10, always, Choice{Doubling, 0}},
		{3, 48 << 10, always, Choice{Chain, 8 << 10}},
		{8, 48 << 10, always, Choice{Doubling, 0}},
		{8, 256 << 10, always, Choice{Chain, 8 << 10}},
		{unlimited, 64 << 10, always, Choice{Doubling, 0}},
		{32, 512 << 10, always, Choice{Chain, 8 << 10}},
		{unlimited, 256 << 10, always, Choice{Doubling, 0}},
		{128, 512 << 10, always, Choice{Chain, 8 << 10}},
		{unlimited, 512 << 10, always, Choice{Doubling, 0}},
		{8, unlimited, always, Choice{Chain, 64 << 10}},
		{256, unlimited, always, Choice{Chain, 16 << 10}},
		{unlimited, unlimited, always, Choice{Doubling, 0}},
	},
	OpGather: {
		{128, unlimited, always, Choice{Linear, 0}},
		{unlimited, 4 << 10, always, Choice{Binomial, 0}},
		{unlimited, unlimited, always, Choice{Linear, 0}},
	},
	OpScatter: {
		{128, unlimited, always, Choice{Linear, 0}},
		{unlimited, 4 << 10, always, Choice{Binomial, 0}},
		{unlimited, unlimited, always, Choice{Linear, 0}},
	},
	OpAllgather: {
		{4, 64 << 10, always, Choice{Bruck, 0}},
		{8, 512 << 10, always, Choice{Bruck, 0}},
		{4, unlimited, always, Choice{Ring, 0}},
		{16, 1 << 20, always, Choice{Bruck, 0}},
		{64, 4 << 20, always, Choice{Bruck, 0}},
		{unlimited, 16 << 20, always, Choice{Bruck, 0}},
		{unlimited, unlimited, always, Choice{Ring, 0}},
	},
	OpAlltoall: {
		{32, unlimited, always, Choice{Pairwise, 0}},
		{unlimited, 256, always, Choice{Bruck, 0}},
		{unlimited, unlimited, always, Choice{Pairwise, 0}},
	},
}
