// Two threads fill, change, sort and add up tables: each in a database of its own, and now and then in one that both share.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

enum { THREADS = 2 };
static sqlite3 *shared;
static long rounds;
static int statements;

static int add_up(void *sum, int count, char **values, char **names) {
    (void)names;
    for (int i = 0; i < count; i++) *(unsigned long *)sum = *(unsigned long *)sum * 31 + (values[i] ? strtoul(values[i], 0, 10) : 7);
    return 0;
}

static void run(sqlite3 *database, const char *text, unsigned long *sum) {
    char *error = 0;
    if (sqlite3_exec(database, text, sum ? add_up : 0, sum, &error) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", text, error);
        exit(1);
    }
}

static sqlite3 *opened(void) {
    sqlite3 *database;
    if (sqlite3_open(":memory:", &database)) exit(2);
    run(database, "create table t(a integer primary key, b, c); create index i on t(b);", 0);
    return database;
}

static void *work(void *number) {
    sqlite3 *own = opened();
    char text[300];
    unsigned long sum = 0;
    run(own, "begin;", 0);
    for (long i = 0; i < rounds; i++) {
        snprintf(text, sizeof text, "insert into t values(%ld, %ld, 'text of %ld');", i, i * 7919 % 1000, i);
        run(own, text, 0);
        if (i % 8 == 0) {
            snprintf(text, sizeof text, "update t set c = c || 'x' where b = %ld; select length(c) from t where b = %ld;", i % 1000, i % 997);
            run(own, text, &sum);
        }
        if (i % 16 == 0) {
            snprintf(text, sizeof text, "update t set b = b + 1 where a = %ld;", (long)number);
            run(shared, text, 0);
        }
        if (i % 100 == 0) run(own, "select b, count(*) from t group by b % 10 order by 2 desc, 1 limit 5;", &sum);
#ifdef SEED_RACE
        statements++;
#endif
    }
    run(own, "commit;", 0);
    sqlite3_close(own);
    return (void *)sum;
}

int main(int count, char **arguments) {
    rounds = atol(arguments[count - 1]);
    shared = opened();
    run(shared, "insert into t values(0, 0, ''), (1, 0, '');", 0);
    pthread_t threads[THREADS];
    unsigned long sum = 0;
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *part;
        pthread_join(threads[i], &part);
        sum += (unsigned long)part;
    }
    run(shared, "select * from t;", &sum);
    sqlite3_close(shared);
    printf("%lx\n", sum);
    return statements < 0;
}
