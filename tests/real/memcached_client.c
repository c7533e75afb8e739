// Four clients at once at the memcached that listens on a socket: each stores and reads keys of its own, and all count on a
// shared one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CLIENTS = 4, ROUNDS = 1000 };
static const char *path;

static FILE *connected(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
    if (socket_ < 0 || connect(socket_, (struct sockaddr *)&address, sizeof address)) {
        perror("connect");
        exit(1);
    }
    return fdopen(socket_, "r+");
}

// Sends one command and compares the first line of the answer; `expected` null accepts any.
static void ask(FILE *server, const char *command, const char *expected) {
    char line[200];
    fseek(server, 0, SEEK_CUR);
    fputs(command, server);
    fflush(server);
    fseek(server, 0, SEEK_CUR);
    if (!fgets(line, sizeof line, server) || (expected && strcmp(line, expected))) {
        fprintf(stderr, "%s was answered by %s", command, line);
        exit(1);
    }
}

static void *client(void *number) {
    FILE *server = connected();
    char command[200], value[50], line[200];
    for (long i = 0; i < ROUNDS; i++) {
        snprintf(value, sizeof value, "value-%ld-%ld", (long)number, i);
        snprintf(command, sizeof command, "set key-%ld-%ld 0 0 %zu\r\n%s\r\n", (long)number, i % 64, strlen(value), value);
        ask(server, command, "STORED\r\n");
        snprintf(command, sizeof command, "get key-%ld-%ld\r\n", (long)number, i % 64);
        ask(server, command, 0);
        if (!fgets(line, sizeof line, server) || strncmp(line, value, strlen(value))) exit(2);
        if (!fgets(line, sizeof line, server) || strcmp(line, "END\r\n")) exit(3);
        ask(server, "incr shared 1\r\n", 0);
    }
    fclose(server);
    return 0;
}

int main(int count, char **arguments) {
    path = arguments[count - 1];
    FILE *server = connected();
    ask(server, "set shared 0 0 1\r\n0\r\n", "STORED\r\n");
    pthread_t threads[CLIENTS];
    for (long i = 0; i < CLIENTS; i++) pthread_create(&threads[i], 0, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++) pthread_join(threads[i], 0);
    char line[50];
    ask(server, "get shared\r\n", 0);
    printf("%s", fgets(line, sizeof line, server));
    fclose(server);
    return 0;
}
