// Two tools cannot both own the memory of a program.
// LEVELS: O1
// FLAGS: -fsanitize=address
// BUILD-FAILS: (?i)sanitize
int main(void) {
    return 0;
}
