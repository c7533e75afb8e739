// Forks while other threads hold locks and allocate; the children use memory, locks and threads of their own.
#include <atomic>
#include <mutex>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex lock;
static std::vector<std::string> words;
static std::atomic<bool> stop;

static void busy() {
    while (!stop) {
        std::string word(100, 'x');
        std::lock_guard<std::mutex> guard(lock);
        words.push_back(word);
        if (words.size() > 100) words.clear();
    }
}

static int child() {
    std::vector<int> numbers(1000, 1);
    std::mutex own;
    int sum = 0;
    auto add = [&] {
        for (int number : numbers) {
            std::lock_guard<std::mutex> guard(own);
            sum += number;
        }
    };
    std::thread one(add), two(add);
    one.join();
    two.join();
    return sum == 2000 ? 7 : 8;
}

int main() {
    std::thread one(busy), two(busy);
    int failed = 0;
    for (int i = 0; i < 10; i++) {
        pid_t pid = fork();
        if (pid == 0) _exit(child());
        int status;
        waitpid(pid, &status, 0);
        failed += !WIFEXITED(status) || WEXITSTATUS(status) != 7;
    }
    stop = true;
    one.join();
    two.join();
    return failed;
}
