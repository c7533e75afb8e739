// A library that prepares itself when it is loaded.
static int *table;
static int numbers[4];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 4; i++) numbers[i] = i + 1;
    table = numbers;
}

int constructed_sum(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += table[i];
    return sum;
}
