// Clients at the memcached on a port of the loopback: each stores and reads keys of its own, many commands at a time, and all
// count on a shared key. Ends the server, of which the process is given, when all are done.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 4, ROUNDS = 500, BATCH = 40 };
static int port;

static int connected(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The server may not listen yet.
    for (int attempt = 0; attempt < 600; attempt++) {
        int server = socket(AF_INET, SOCK_STREAM, 0);
        if (!connect(server, (struct sockaddr *)&address, sizeof address)) return server;
        close(server);
        usleep(50000);
    }
    perror("connect");
    exit(1);
}

// Sends all of it, and reads answers until there are so many lines.
static unsigned long ask(int server, const char *commands, size_t size, int lines) {
    unsigned long sum = 0;
    char answer[4096];
    while (size) {
        ssize_t sent = write(server, commands, size);
        if (sent <= 0) exit(2);
        commands += sent;
        size -= (size_t)sent;
    }
    while (lines > 0) {
        ssize_t got = read(server, answer, sizeof answer);
        if (got <= 0) exit(3);
        for (ssize_t i = 0; i < got; i++) {
            lines -= answer[i] == '\n';
            sum = sum * 31 + (unsigned char)answer[i];
        }
    }
    return sum;
}

static void *client(void *number) {
    int server = connected();
    unsigned long sum = 0;
    char commands[BATCH * 200];
    for (int round = 0; round < ROUNDS; round++) {
        size_t at = 0;
        for (int i = 0; i < BATCH; i++) {
            char value[50];
            int length = snprintf(value, sizeof value, "value-%ld-%d-%d", (long)number, round, i);
            int key = (round * BATCH + i) % 500;
            at += (size_t)snprintf(commands + at, sizeof commands - at, "set key-%ld-%d 0 0 %d\r\n%s\r\nget key-%ld-%d\r\n", (long)number,
                                   key, length, value, (long)number, key);
        }
        // Of each: STORED, then VALUE, the value and END.
        sum += ask(server, commands, at, BATCH * 4);
        // The number that comes back depends on the others.
        ask(server, "incr shared 1\r\n", 15, 1);
    }
    close(server);
    return (void *)sum;
}

int main(int count, char **arguments) {
    if (count != 3) return 1;
    port = atoi(arguments[1]);
    int server = connected();
    ask(server, "set shared 0 0 1\r\n0\r\n", 21, 1);
    pthread_t threads[CLIENTS];
    unsigned long sum = 0;
    for (long i = 0; i < CLIENTS; i++) pthread_create(&threads[i], 0, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++) {
        void *part;
        pthread_join(threads[i], &part);
        sum += (unsigned long)part;
    }
    printf("%lx %lx\n", sum, ask(server, "get shared\r\n", 12, 3));
    fflush(stdout);
    kill(atoi(arguments[2]), SIGINT);
}
