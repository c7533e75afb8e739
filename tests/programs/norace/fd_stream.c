// What goes through a pipe by streams comes before what is done after it came out, whatever functions are used.
// FLAGS: -D_GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#include "check.h"
#include "invisible.h"

enum { LINE, FORMAT, CHARACTER, BLOCK, WIDE, END, WAYS };

static volatile int data[WAYS];
static FILE *in[WAYS], *out[WAYS];
static int sent[WAYS];

static void *give(void *unused) {
    for (int way = 0; way < WAYS; way++) {
        data[way] = way + 1;
        switch (way) {
            case LINE: fputs("line\n", out[way]); break;
            case FORMAT: fprintf(out[way], "%d\n", 17); break;
            case CHARACTER: putc('x', out[way]); break;
            case BLOCK: fwrite("block", 1, 5, out[way]); break;
            case WIDE: fputwc(L'w', out[way]); break;
        }
        // All that is left at the end.
        if (way == LINE || way == END) CHECK(fclose(out[way]) == 0);
        else CHECK(fflush(out[way]) == 0);
        invisible_signal(&sent[way]);
    }
    // Of all streams; none is read any more.
    CHECK(fflush(0) == 0 && fflush_unlocked(0) == 0);
    return unused;
}

static void take(int way) {
    char text[16];
    char *line = 0;
    size_t size = 0;
    int number;
    switch (way) {
        case LINE: CHECK(fgets(text, sizeof text, in[way]) == text); break;
        case FORMAT: CHECK(fscanf(in[way], "%d", &number) == 1 && number == 17); break;
        case CHARACTER: CHECK(getc(in[way]) == 'x'); break;
        case BLOCK: CHECK(fread(text, 1, 5, in[way]) == 5); break;
        case WIDE: CHECK(fgetwc(in[way]) == L'w'); break;
        case END: CHECK(getline(&line, &size, in[way]) == -1); break;
    }
    free(line);
}

int main(void) {
    pthread_t thread;
    for (int way = 0; way < WAYS; way++) {
        int ends[2];
        CHECK(pipe(ends) == 0);
        in[way] = fdopen(ends[0], "r");
        out[way] = fdopen(ends[1], "w");
    }
    pthread_create(&thread, 0, give, 0);
    for (int way = 0; way < WAYS; way++) {
        take(way);
        CHECK(data[way] == way + 1);
    }
    pthread_join(thread, 0);
    return 0;
}
