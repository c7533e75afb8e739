// A text that all threads parse, again and again, character by character and from several places, as parsers of configurations and of JSON do; after each time they take a lock.
// ARGS: 400
// QUICK: 40
// SMOKE: 1
// THREADS: 4 16
// SINGLE
#include "workload.h"
#include <pthread.h>

enum { ITEMS = 60, ROOM = 80 * ITEMS };
static long rounds;
static char text[ROOM];
static unsigned long total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct parser {
    const char *at;
};

static void skip_spaces(struct parser *parser) {
    while (*parser->at == ' ' || *parser->at == '\n') parser->at++;
}

static unsigned long string(struct parser *parser) {
    unsigned long sum = 0;
    for (parser->at++; *parser->at != '"'; parser->at++) {
        if (*parser->at == '\\') parser->at++;
        sum = sum * 31 + (unsigned char)*parser->at;
    }
    parser->at++;
    return sum;
}

static unsigned long value(struct parser *parser) {
    unsigned long sum = 0;
    skip_spaces(parser);
    if (*parser->at == '{' || *parser->at == '[') {
        int has_names = *parser->at == '{';
        char end = has_names ? '}' : ']';
        parser->at++;
        for (skip_spaces(parser); *parser->at != end; skip_spaces(parser)) {
            if (has_names) {
                sum += string(parser);
                skip_spaces(parser);
                parser->at++;
            }
            sum += value(parser);
            skip_spaces(parser);
            if (*parser->at == ',') parser->at++;
        }
        parser->at++;
    } else if (*parser->at == '"') {
        sum = string(parser);
    } else {
        while (*parser->at >= '0' && *parser->at <= '9') sum = sum * 10 + (unsigned long)(*parser->at++ - '0');
    }
    return sum;
}

static unsigned long work(int me) {
    if (SEEDED) text[ROOM - 1] = (char)me;
    unsigned long last = 0;
    for (long round = 0; round < rounds; round++) {
        struct parser parser = {text};
        last = value(&parser);
        pthread_mutex_lock(&lock);
        total += last;
        pthread_mutex_unlock(&lock);
    }
    return last;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    int used = snprintf(text, ROOM, "[");
    for (int i = 0; i < ITEMS; i++)
        used += snprintf(text + used, (size_t)(ROOM - used), "%s{\"id\": %d, \"name\": \"item number %d\", \"tags\": [\"a\", \"bb\", \"ccc\"]}", i ? ",\n" : "", i, i);
    snprintf(text + used, (size_t)(ROOM - used), "]");
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    printf("%lu %lu\n", sum, total);
}
