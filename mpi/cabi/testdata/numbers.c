/* Numbers where C has pointers: MPI_IN_PLACE, the values and the extra state of attributes. Go finds them on its stacks when these
   grow, which happens at any depth: so a callback calls MPI, which calls the callback, and each thread goes deeper by one. */
#include "check.h"
#include <pthread.h>

enum { DEPTHS = 200 };
static MPI_Datatype type;
static MPI_Comm comms[DEPTHS];
static int key, typeKey, what;
static __thread int depth, deepest;

static void deep(MPI_Comm c) {
	int x = 1, n = 1, zero = 0;
	MPI_Comm copy;
	switch (what) {
	case 0: OK(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, &x, 1, MPI_INT, c)); break;
	case 1: OK(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, &x, 1, MPI_INT, c)); break;
	case 2: OK(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, &x, &n, &zero, MPI_INT, c)); break;
	case 3: OK(MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, c)); break;
	case 4: OK(MPI_Bcast((void *)2, 0, MPI_INT, 0, c)); break;
	case 5: OK(MPI_Comm_dup(c, &copy)); OK(MPI_Comm_free(&copy)); break;
	}
	CHECK(x == 1);
}

static int copying(MPI_Datatype t, int k, void *extra, void *in, void *out, int *flag) {
	MPI_Datatype copy;
	(void)k;
	CHECK(extra == (void *)9 && in == (void *)11);
	*(void **)out = in;
	*flag = 1;
	if (depth == deepest) {
		deep(comms[deepest]);
		return MPI_SUCCESS;
	}
	depth++;
	OK(MPI_Type_dup(t, &copy));
	OK(MPI_Type_free(&copy));
	depth--;
	return MPI_SUCCESS;
}

/* Threads stay until all have been: each has its own Go stack. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int been, over;

static void *thread(void *arg) {
	MPI_Datatype copy;
	deepest = (int)(long)arg;
	OK(MPI_Type_dup(type, &copy));
	OK(MPI_Type_free(&copy));
	pthread_mutex_lock(&mutex);
	been++;
	pthread_cond_broadcast(&changed);
	while (!over) pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void grow(void) {
	pthread_t threads[DEPTHS];
	been = over = 0;
	for (long i = 0; i < DEPTHS; i++) {
		pthread_create(&threads[i], NULL, thread, (void *)i);
		pthread_mutex_lock(&mutex);
		while (been <= i) pthread_cond_wait(&changed, &mutex);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	over = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < DEPTHS; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
	int provided;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
	for (int i = 0; i < DEPTHS; i++) {
		OK(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
		OK(MPI_Comm_set_attr(comms[i], key, (void *)5));
	}
	OK(MPI_Type_contiguous(2, MPI_INT, &type));
	OK(MPI_Type_create_keyval(copying, MPI_TYPE_NULL_DELETE_FN, &typeKey, (void *)9));
	OK(MPI_Type_set_attr(type, typeKey, (void *)11));
	for (what = 0; what < 6; what++) grow();
	for (int i = 0; i < DEPTHS; i++) OK(MPI_Comm_free(&comms[i]));
	OK(MPI_Type_free(&type));
	end();
}
