/* The tool information interface: usable before MPI_Init and after MPI_Finalize, and only between its own beginning and end. */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>

/* Functions of MPI_T return classes, before MPI_Init too. */
#define IS(class, call) CHECK((call) == (class))

static unsigned long long number(MPI_T_pvar_session s, MPI_T_pvar_handle h) {
	unsigned long long n = 0;
	OK(MPI_T_pvar_read(s, h, &n));
	return n;
}

static MPI_T_pvar_handle handle(MPI_T_pvar_session s, const char *name, int class) {
	int i, n;
	MPI_T_pvar_handle h;
	OK(MPI_T_pvar_get_index(name, class, &i));
	OK(MPI_T_pvar_handle_alloc(s, i, NULL, &h, &n));
	CHECK(n == 1 && h != MPI_T_PVAR_HANDLE_NULL);
	return h;
}

static void outside(void) {
	int n;
	MPI_T_pvar_session s = MPI_T_PVAR_SESSION_NULL;
	IS(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
	IS(MPI_T_ERR_NOT_INITIALIZED, MPI_T_event_get_num(&n));
	IS(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_index("x", &n));
	IS(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_session_create(&s));
	IS(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_session_free(NULL));
	IS(MPI_T_ERR_NOT_INITIALIZED, MPI_T_finalize());
}

/* A text is cut, but never its length. */
static void texts(void) {
	char name[100] = "untouched", desc[300], cut[5] = "zzzz";
	int whole = 0, n = sizeof name, d = sizeof desc, four = 4;
	OK(MPI_T_cvar_get_info(0, NULL, &whole, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	OK(MPI_T_cvar_get_info(0, name, NULL, NULL, NULL, NULL, desc, NULL, NULL, NULL));
	CHECK(!strcmp(name, "untouched"));
	OK(MPI_T_cvar_get_info(0, name, &n, NULL, NULL, NULL, desc, &d, NULL, NULL));
	CHECK(n == (int)strlen(name) + 1 && n == whole && d == (int)strlen(desc) + 1);
	OK(MPI_T_cvar_get_info(0, cut, &four, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	CHECK(four == whole && !strncmp(cut, name, 3) && strlen(cut) == 3);
}

static void settings(void) {
	int n, i, count, bind, scope, length, items, value;
	MPI_Datatype t;
	MPI_T_enum e;
	MPI_T_cvar_handle h, stale;
	char name[200], text[1000];
	double seconds;
	unsigned long long bytes = 0;
	OK(MPI_T_cvar_get_num(&n));
	for (i = 0; i < n; i++) {
		length = sizeof name;
		OK(MPI_T_cvar_get_info(i, name, &length, NULL, &t, &e, NULL, NULL, &bind, &scope));
		CHECK(bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_CONSTANT);
		CHECK((t == MPI_INT) == (e != MPI_T_ENUM_NULL));
		OK(MPI_T_cvar_get_index(name, &count));
		CHECK(count == i);
		OK(MPI_T_cvar_handle_alloc(i, NULL, &h, &count));
		CHECK(h != MPI_T_CVAR_HANDLE_NULL && (t == MPI_CHAR ? count > 1 && count <= (int)sizeof text : count == 1));
		if (t == MPI_INT) {
			OK(MPI_T_cvar_read(h, &value));
			OK(MPI_T_enum_get_info(e, &items, NULL, NULL));
			CHECK(value >= 0 && value < items);
			length = sizeof name;
			OK(MPI_T_enum_get_item(e, value, &count, name, &length));
			CHECK(count == value && length > 1);
			IS(MPI_T_ERR_INVALID_INDEX, MPI_T_enum_get_item(e, items, &count, NULL, NULL));
			IS(MPI_T_ERR_INVALID_INDEX, MPI_T_enum_get_item(e, -1, &count, NULL, NULL));
		} else if (t == MPI_DOUBLE) {
			OK(MPI_T_cvar_read(h, &seconds));
		} else {
			CHECK(t == MPI_CHAR || t == MPI_UNSIGNED_LONG_LONG);
			OK(MPI_T_cvar_read(h, text));
		}
		IS(MPI_T_ERR_CVAR_SET_NEVER, MPI_T_cvar_write(h, text));
		stale = h;
		OK(MPI_T_cvar_handle_free(&h));
		CHECK(h == MPI_T_CVAR_HANDLE_NULL);
		IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_read(stale, text));
		IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle_free(&stale));
	}
	OK(MPI_T_cvar_get_index("SCTPMPI_EAGER_LIMIT", &i));
	OK(MPI_T_cvar_handle_alloc(i, NULL, &h, NULL));
	OK(MPI_T_cvar_read(h, &bytes));
	CHECK(bytes == (getenv("SCTPMPI_EAGER_LIMIT") ? strtoull(getenv("SCTPMPI_EAGER_LIMIT"), NULL, 10) : 64 << 10));
	IS(MPI_T_ERR_INVALID, MPI_T_cvar_read(h, NULL));
	OK(MPI_T_cvar_handle_free(&h));
	IS(MPI_T_ERR_INVALID_NAME, MPI_T_cvar_get_index("SCTPMPI_JOB_TOKEN", &i));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_cvar_handle_alloc(n, NULL, &h, &count));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, text));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle_free(NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_enum_get_info(MPI_T_ENUM_NULL, &n, NULL, NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_enum_get_info((MPI_T_enum)0x31415926, &n, NULL, NULL));
}

/* Every variable is in one category, and every category but the first one is in it. */
static void categories(void) {
	int n, i, c, v, s, controls, counters, subcategories, *list, before, after;
	char name[100];
	OK(MPI_T_category_get_num(&n));
	OK(MPI_T_cvar_get_num(&controls));
	OK(MPI_T_pvar_get_num(&counters));
	OK(MPI_T_category_changed(&before));
	subcategories = n - 1;
	for (i = 0; i < n; i++) {
		int length = sizeof name, index;
		OK(MPI_T_category_get_info(i, name, &length, NULL, NULL, &c, &v, &s));
		OK(MPI_T_category_get_index(name, &index));
		CHECK(index == i);
		list = malloc(sizeof(int) * (c + v + s + 1));
		OK(MPI_T_category_get_cvars(i, c, list));
		OK(MPI_T_category_get_pvars(i, v, list + c));
		OK(MPI_T_category_get_categories(i, s, list + c + v));
		OK(MPI_T_category_get_events(i, 1, list));
		for (int j = 0; j < c; j++) OK(MPI_T_cvar_get_info(list[j], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
		for (int j = c + v; j < c + v + s; j++) CHECK(list[j] > 0 && list[j] < n);
		free(list);
		controls -= c, counters -= v, subcategories -= s;
		OK(MPI_T_category_get_num_events(i, &c));
		CHECK(c == 0);
	}
	CHECK(controls == 0 && counters == 0 && subcategories == 0);
	OK(MPI_T_category_changed(&after));
	CHECK(before == after);
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_pvars(n, 0, NULL));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_num_events(-1, &c));
	IS(MPI_T_ERR_INVALID, MPI_T_category_get_cvars(0, -1, NULL));
	IS(MPI_T_ERR_INVALID_NAME, MPI_T_category_get_index("none", &i));
}

static void noEvents(void) {
	int n = 1;
	MPI_Count t;
	MPI_T_event_registration r = (MPI_T_event_registration)0;
	MPI_T_event_instance e = (MPI_T_event_instance)0;
	OK(MPI_T_event_get_num(&n));
	CHECK(n == 0);
	OK(MPI_T_source_get_num(&n));
	CHECK(n == 0);
	IS(MPI_T_ERR_INVALID_NAME, MPI_T_event_get_index("none", &n));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_event_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &r));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_source_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_source_get_timestamp(0, &t));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_handle_free(r, NULL, NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_handle_set_info(r, MPI_INFO_NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_register_callback(r, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_set_dropped_handler(r, NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_read(e, 0, &n));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_get_timestamp(e, &t));
}

/* What is the same in every performance variable of its kind. */
static void variables(MPI_T_pvar_session s) {
	int n, class, readonly, continuous, atomic, i, index, length;
	char name[100];
	MPI_Datatype t;
	MPI_T_pvar_handle h;
	unsigned long long x = 0;
	OK(MPI_T_pvar_get_num(&n));
	for (i = 0; i < n; i++) {
		length = sizeof name;
		OK(MPI_T_pvar_get_info(i, name, &length, NULL, &class, &t, NULL, NULL, NULL, NULL, &readonly, &continuous, &atomic));
		OK(MPI_T_pvar_get_index(name, class, &index));
		CHECK(index == i);
		IS(MPI_T_ERR_INVALID_NAME, MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_TIMER, &index));
		OK(MPI_T_pvar_handle_alloc(s, i, NULL, &h, NULL));
		OK(MPI_T_pvar_read(s, h, &x));
		IS(continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS, MPI_T_pvar_start(s, h));
		IS(continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS, MPI_T_pvar_stop(s, h));
		IS(readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS, MPI_T_pvar_reset(s, h));
		IS(readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS, MPI_T_pvar_write(s, h, &x));
		IS(atomic ? MPI_SUCCESS : MPI_T_ERR_PVAR_NO_ATOMIC, MPI_T_pvar_readreset(s, h, &x));
		OK(MPI_T_pvar_handle_free(s, &h));
	}
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_handle_alloc(s, n, NULL, &h, NULL));
	IS(MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(s, MPI_T_PVAR_ALL_HANDLES, &x));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_start(s, MPI_T_PVAR_HANDLE_NULL));
	OK(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES));
	OK(MPI_T_pvar_stop(s, MPI_T_PVAR_ALL_HANDLES));
	OK(MPI_T_pvar_reset(s, MPI_T_PVAR_ALL_HANDLES));
}

/* exchange moves messages both ways. */
static void exchange(void) {
	int x;
	OK(MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* A handle counts while it is started, each on its own. */
static void counting(MPI_T_pvar_session s) {
	MPI_T_pvar_handle one = handle(s, "messages_sent", MPI_T_PVAR_CLASS_COUNTER), other = handle(s, "messages_sent", MPI_T_PVAR_CLASS_COUNTER);
	MPI_T_pvar_session second;
	unsigned long long n;
	exchange();
	CHECK(number(s, one) == 0);
	OK(MPI_T_pvar_start(s, one));
	exchange();
	n = number(s, one);
	CHECK(n >= 1 && number(s, other) == 0);
	OK(MPI_T_pvar_stop(s, one));
	n = number(s, one);
	exchange();
	CHECK(number(s, one) == n);
	OK(MPI_T_pvar_start(s, one));
	OK(MPI_T_pvar_start(s, one));
	exchange();
	CHECK(number(s, one) > n);
	n = 1000;
	OK(MPI_T_pvar_write(s, one, &n));
	exchange();
	CHECK(number(s, one) > 1000);
	OK(MPI_T_pvar_readreset(s, one, &n));
	CHECK(n > 1000 && number(s, one) < 1000);
	OK(MPI_T_pvar_session_create(&second));
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(second, one, &n));
	OK(MPI_T_pvar_session_free(&second));
	OK(MPI_T_pvar_handle_free(s, &other));
	CHECK(other == MPI_T_PVAR_HANDLE_NULL);
	IS(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_handle_free(s, &other));
	IS(MPI_T_ERR_INVALID, MPI_T_pvar_read(s, one, NULL));
}

/* Levels show what there is. */
static void levels(MPI_T_pvar_session s) {
	MPI_T_pvar_handle open = handle(s, "open_operations", MPI_T_PVAR_CLASS_LEVEL), early = handle(s, "unexpected_messages", MPI_T_PVAR_CLASS_LEVEL);
	MPI_Request r;
	int x;
	CHECK(number(s, open) == 0);
	OK(MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &r));
	CHECK(number(s, open) == 1);
	OK(MPI_Barrier(MPI_COMM_WORLD));
	OK(MPI_Send(&rank, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD));
	OK(MPI_Probe(1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	CHECK(number(s, early) >= 1); /* and perhaps one of the other's next collective operation */
	OK(MPI_Recv(&x, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	OK(MPI_Send(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(number(s, open) == 0);
	CHECK(number(s, handle(s, "suspected_peers", MPI_T_PVAR_CLASS_LEVEL)) == 0); /* all live */
}

static atomic_int moving = 1;

static void *watch(void *session) {
	while (moving) variables(*(MPI_T_pvar_session *)session);
	return NULL;
}

/* A thread may look while another one moves messages. */
static void watching(void) {
	pthread_t t;
	MPI_T_pvar_session s;
	OK(MPI_T_pvar_session_create(&s));
	CHECK(!pthread_create(&t, NULL, watch, &s));
	for (int i = 0; i < 200; i++) exchange();
	moving = 0;
	CHECK(!pthread_join(t, NULL));
	OK(MPI_T_pvar_session_free(&s));
}

static int state(MPI_T_pvar_session s, MPI_T_pvar_handle h) {
	int n = -1;
	OK(MPI_T_pvar_read(s, h, &n));
	return n;
}

int main(int argc, char **argv) {
	int provided, length, class;
	char text[MPI_MAX_ERROR_STRING];
	MPI_T_pvar_session s, stale;
	MPI_T_pvar_handle sent, now;
	unsigned long long n;
	outside();
	OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
	CHECK(provided == MPI_THREAD_MULTIPLE);
	OK(MPI_T_init_thread(MPI_THREAD_SINGLE, NULL));
	OK(MPI_T_finalize()); /* one of two */
	texts();
	settings();
	categories();
	noEvents();
	OK(MPI_T_pvar_session_create(&s));
	variables(s);
	sent = handle(s, "messages_sent", MPI_T_PVAR_CLASS_COUNTER);
	now = handle(s, "state", MPI_T_PVAR_CLASS_STATE);
	OK(MPI_T_pvar_start(s, sent));
	CHECK(number(s, sent) == 0 && state(s, now) == 0);

	begin(&argc, &argv); /* its errors are fatal: no function here calls the handler */
	CHECK(state(s, now) == 1);
	variables(s);
	OK(MPI_T_pvar_start(s, sent));
	counting(s);
	levels(s);
	watching();
	settings();
	OK(MPI_Error_class(MPI_T_ERR_INVALID, &class));
	CHECK(class == MPI_T_ERR_INVALID);
	OK(MPI_Error_string(MPI_T_ERR_CVAR_SET_NEVER, text, &length));
	CHECK(!strcmp(text, "the control variable cannot be set"));
	n = number(s, sent);
	CHECK(n > 0);
	MPI_Finalize();

	CHECK(state(s, now) == 2 && number(s, sent) >= n);
	variables(s);
	texts();
	stale = s;
	OK(MPI_T_pvar_session_free(&s));
	CHECK(s == MPI_T_PVAR_SESSION_NULL);
	IS(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_read(stale, sent, &n));
	IS(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_session_free(&stale));
	OK(MPI_T_pvar_session_create(&s));
	OK(MPI_T_finalize());
	outside();
	OK(MPI_T_init_thread(MPI_THREAD_SINGLE, NULL));
	IS(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_session_free(&s));
	OK(MPI_T_finalize());
	if (rank == 0) puts("no errors");
}
