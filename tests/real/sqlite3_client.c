// Four threads fill, change and read one database of SQLite: each through a connection of its own and through one that all
// share, in the journal mode that the argument names.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

enum { THREADS = 4, ROUNDS = 60 };
static sqlite3 *shared;

static int print(void *unused, int count, char **values, char **names) {
    (void)unused, (void)names;
    for (int i = 0; i < count; i++) printf("%s ", values[i] ? values[i] : "null");
    putchar('\n');
    return 0;
}

static void run(sqlite3 *database, const char *text, int (*row)(void *, int, char **, char **)) {
    char *error = 0;
    int result;
    // A database in write-ahead mode may say that it is busy at once, where waiting could not help.
    do result = sqlite3_exec(database, text, row, 0, &error);
    while (result == SQLITE_BUSY);
    if (result != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", text, error);
        exit(1);
    }
}

static sqlite3 *opened(void) {
    sqlite3 *database;
    if (sqlite3_open("database", &database)) exit(2);
    sqlite3_busy_timeout(database, 60000);
    return database;
}

static void *work(void *number) {
    sqlite3 *own = opened();
    char text[200];
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(text, sizeof text, "begin immediate; insert into t values(%ld, %d, hex(zeroblob(%d))); commit;", (long)number, i, i);
        run(own, text, 0);
        snprintf(text, sizeof text, "update counts set n = n + 1 where id = %d;", i % 5);
        run(shared, text, 0);
        if (i % 10 == 0) run(own, "select count(*), sum(length(c)) from t where a = -1;", 0);
    }
    sqlite3_close(own);
    return 0;
}

int main(int count, char **arguments) {
    char text[200];
    remove("database");
    shared = opened();
    snprintf(text, sizeof text, "pragma journal_mode = %s;", arguments[count - 1]);
    run(shared, text, print);
    run(shared, "create table t(a, b, c); create index i on t(b); create table counts(id primary key, n);", 0);
    run(shared, "insert into counts values(0, 0), (1, 0), (2, 0), (3, 0), (4, 0);", 0);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    run(shared, "select a, count(*), sum(b), sum(length(c)) from t group by a; select * from counts; pragma integrity_check;", print);
    sqlite3_close(shared);
    return 0;
}
