static int counter;

void bump_in_c(void) { counter = 1; }
