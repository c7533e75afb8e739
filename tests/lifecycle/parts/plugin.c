// A library that is loaded while the program runs.
volatile int plugin_shared;
static _Thread_local volatile int plugin_own;

void plugin_write(int value) {
    plugin_own = value;
    plugin_shared = plugin_own;
}
