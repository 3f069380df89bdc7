/* Communicators, groups, info, names, intercommunicators, topologies. */
#include "check.h"

static void groups(void) {
	MPI_Group all, some, none, range, u;
	MPI_Comm c;
	int n, r, first[] = {0}, ranks[2] = {0, MPI_PROC_NULL}, others[2], ranges[1][3] = {{size - 1, 0, -1}};
	OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
	OK(MPI_Group_incl(all, 1, first, &some));
	OK(MPI_Group_size(some, &n));
	OK(MPI_Group_rank(some, &r));
	CHECK(n == 1 && r == (rank == 0 ? 0 : MPI_UNDEFINED));
	OK(MPI_Group_difference(some, all, &none));
	CHECK(none == MPI_GROUP_EMPTY);
	OK(MPI_Group_range_incl(all, 1, ranges, &range));
	OK(MPI_Group_compare(all, range, &r));
	CHECK(r == MPI_SIMILAR);
	OK(MPI_Group_translate_ranks(all, 2, ranks, range, others));
	CHECK(others[0] == size - 1 && others[1] == MPI_PROC_NULL);
	OK(MPI_Group_union(some, all, &u));
	OK(MPI_Group_compare(all, u, &r));
	CHECK(r == MPI_IDENT);
	OK(MPI_Comm_create(MPI_COMM_WORLD, some, &c));
	CHECK((c == MPI_COMM_NULL) == (rank != 0));
	if (rank == 0) OK(MPI_Comm_free(&c));
	if (rank == 0) {
		OK(MPI_Comm_create_group(MPI_COMM_WORLD, some, 3, &c));
		OK(MPI_Comm_free(&c));
	}
	OK(MPI_Group_free(&all));
	OK(MPI_Group_free(&some));
	OK(MPI_Group_free(&range));
	OK(MPI_Group_free(&u));
}

static void splits(void) {
	MPI_Comm c, inter, merged;
	MPI_Request r;
	int n, flag, result, x = rank;
	OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &c));
	OK(MPI_Comm_size(c, &n));
	CHECK(n == (size + 1 - rank % 2) / 2);
	OK(MPI_Comm_compare(MPI_COMM_WORLD, c, &result));
	CHECK(result == MPI_UNEQUAL);
	OK(MPI_Intercomm_create(c, 0, MPI_COMM_WORLD, rank % 2 ? (size - 1) / 2 * 2 : (size / 2) * 2 - 1, 12, &inter));
	OK(MPI_Comm_test_inter(inter, &flag));
	OK(MPI_Comm_remote_size(inter, &n));
	CHECK(flag && n == (size + rank % 2) / 2);
	OK(MPI_Intercomm_merge(inter, rank % 2, &merged));
	OK(MPI_Comm_size(merged, &n));
	CHECK(n == size);
	OK(MPI_Comm_free(&merged));
	OK(MPI_Comm_free(&inter));
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
	OK(MPI_Comm_size(c, &n));
	CHECK(n == size);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, c, MPI_STATUS_IGNORE));
	CHECK(x == (rank + size - 1) % size);
	OK(MPI_Comm_free(&c));
}

static void names(void) {
	char name[MPI_MAX_OBJECT_NAME], value[100];
	int n, flag;
	MPI_Info i, d;
	OK(MPI_Comm_get_name(MPI_COMM_WORLD, name, &n));
	CHECK(!strcmp(name, "MPI_COMM_WORLD") && n == (int)strlen(name));
	OK(MPI_Comm_set_name(MPI_COMM_SELF, "me"));
	OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &n));
	CHECK(!strcmp(name, "me"));
	OK(MPI_Info_create(&i));
	OK(MPI_Info_set(i, "key", "a value"));
	OK(MPI_Info_get(i, "key", 3, value, &flag));
	CHECK(flag && !strcmp(value, "a v"));
	n = sizeof value;
	OK(MPI_Info_get_string(i, "key", &n, value, &flag));
	CHECK(flag && n == 8 && !strcmp(value, "a value"));
	OK(MPI_Info_dup(i, &d));
	OK(MPI_Info_get_nkeys(d, &n));
	OK(MPI_Info_get_nthkey(d, 0, name));
	CHECK(n == 1 && !strcmp(name, "key"));
	FAILS(MPI_ERR_INFO_NOKEY, MPI_Info_delete(d, "other"));
	OK(MPI_Info_delete(d, "key"));
	OK(MPI_Info_get_valuelen(d, "key", &n, &flag));
	CHECK(!flag);
	OK(MPI_Info_free(&i));
	OK(MPI_Info_free(&d));
}

static void topologies(void) {
	MPI_Comm c, sub, g;
	int dims[2] = {0, 1}, periods[2] = {1, 0}, coords[2], remain[2] = {1, 0}, r, from, to, kind, n;
	OK(MPI_Dims_create(size, 2, dims));
	CHECK(dims[0] == size && dims[1] == 1);
	OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &c));
	OK(MPI_Topo_test(c, &kind));
	CHECK(kind == MPI_CART);
	OK(MPI_Cart_coords(c, rank, 2, coords));
	OK(MPI_Cart_rank(c, coords, &r));
	CHECK(r == rank);
	OK(MPI_Cart_shift(c, 0, 1, &from, &to));
	CHECK(to == (rank + 1) % size);
	OK(MPI_Cart_shift(c, 1, 1, &from, &to));
	CHECK(to == MPI_PROC_NULL);
	OK(MPI_Cart_sub(c, remain, &sub));
	OK(MPI_Cartdim_get(sub, &n));
	CHECK(n == 1);
	OK(MPI_Comm_free(&sub));
	OK(MPI_Comm_free(&c));
	int source = (rank + size - 1) % size, dest = (rank + 1) % size, weight = rank, w1, w2;
	OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &dest, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &g));
	OK(MPI_Dist_graph_neighbors_count(g, &from, &to, &n));
	CHECK(from == 1 && to == 1 && !n);
	OK(MPI_Comm_free(&g));
	n = 1;
	OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &n, &dest, &weight, MPI_INFO_NULL, 0, &g));
	OK(MPI_Dist_graph_neighbors(g, 1, &from, &w1, 1, &to, &w2));
	CHECK(from == source && to == dest && w1 == source && w2 == rank);
	OK(MPI_Comm_free(&g));
	FAILS(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(MPI_COMM_WORLD, &n));
}

/* What is guided by hardware divides by shared memory, if it is asked to, and by nothing that is not known. */
static void hardware(void) {
	MPI_Comm c, host;
	MPI_Info info;
	int result;
	OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory"));
	OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c));
	CHECK(c != MPI_COMM_NULL);
	OK(MPI_Comm_compare(c, host, &result));
	CHECK(result == MPI_CONGRUENT);
	OK(MPI_Comm_free(&c));
	OK(MPI_Info_set(info, "mpi_hw_resource_type", "NUMANode"));
	OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Info_free(&info));
	OK(MPI_Comm_free(&host));
}

/* No communicator of no processes. */
static void nobody(void) {
	if (rank == 0) {
		MPI_Comm c = MPI_COMM_WORLD;
		OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
		CHECK(c == MPI_COMM_NULL);
	}
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	groups();
	splits();
	names();
	topologies();
	hardware();
	nobody();
	end();
}
