/* Attributes of Fortran are numbers; in C each is the address of one (MPI 4.1, section 19.3.7): so it is kept in a cell, whose address is the
   value for the library. */
#include <pthread.h>
#include <stdlib.h>

/* What is known of an address or a keyval. */
typedef int copy_proxy(void *fn, int handle, int keyval, void *extra, int kind, void *value, void **copy, int *flag);
typedef int delete_proxy(void *fn, int handle, int keyval, int kind, void *value, void *extra);
struct known {
	intptr_t number; /* of a cell. It is first: the address of a cell is the address of its number */
	uintptr_t key;
	copy_proxy *copy;
	delete_proxy *delete;
	struct known *next;
};

enum { BUCKETS = 256 };
static struct {
	pthread_mutex_t mutex;
	struct known *cells[BUCKETS], *keyvals[BUCKETS], *functions[BUCKETS];
} fortran = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct known **bucket(struct known **table, uintptr_t key) { return &table[(key ^ key >> 8 ^ key >> 16) / 4 % BUCKETS]; }

/* find copies what is known of a key, and says whether anything is. */
static int find(struct known **table, uintptr_t key, struct known *out) {
	pthread_mutex_lock(&fortran.mutex);
	struct known *k = *bucket(table, key);
	while (k && k->key != key) k = k->next;
	if (k && out) *out = *k;
	pthread_mutex_unlock(&fortran.mutex);
	return k != NULL;
}

/* note keeps what is known of a key; a cell is its own key. It returns where, NULL if there is no memory. */
static struct known *note(struct known **table, struct known what) {
	struct known *k = malloc(sizeof *k);
	if (!k) return NULL;
	*k = what;
	if (!k->key) k->key = (uintptr_t)k;
	struct known **b = bucket(table, k->key);
	pthread_mutex_lock(&fortran.mutex);
	k->next = *b;
	*b = k;
	pthread_mutex_unlock(&fortran.mutex);
	return k;
}

static void forget(struct known **table, uintptr_t key) {
	pthread_mutex_lock(&fortran.mutex);
	struct known **at = bucket(table, key), *k;
	while (*at && (*at)->key != key) at = &(*at)->next;
	if ((k = *at)) *at = k->next;
	pthread_mutex_unlock(&fortran.mutex);
	free(k);
}

/* number_of is an attribute as Fortran sees it. */
static inline void *number_of(void *value) {
	struct known cell;
	return find(fortran.cells, (uintptr_t)value, &cell) ? (void *)cell.number : value;
}
