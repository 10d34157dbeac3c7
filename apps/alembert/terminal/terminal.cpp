#include "terminal/terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "alembert/core/printable.hpp"
#include "terminal/shape.hpp"

namespace alembert::app {
namespace {

// Of the one standard output that there is.
OutputState state = OutputState::Good;
TerminalShape shape;
std::string unfinished;  // a line of a terminal whose end has not come

void remember_failure() {
  if (state != OutputState::Good) return;
  state = errno == EPIPE ? OutputState::ReaderGone : OutputState::Failed;
}

void put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember_failure();
}

// On a terminal whole lines are shaped.
void put_lines(std::string_view text) {
  unfinished += text;
  std::size_t begin = 0;
  for (std::size_t end = unfinished.find('\n'); end != std::string::npos;
       end = unfinished.find('\n', begin)) {
    put(shaped(std::string_view(unfinished).substr(begin, end - begin), shape) + '\n');
    begin = end + 1;
  }
  unfinished.erase(0, begin);
}

}  // namespace

void prepare_terminal() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      // The lowest free number is this one, since those below are open. Open for the program's end.
      static_cast<void>(open("/dev/null", O_RDWR));
    }
  }
  shape = terminal_shape(STDOUT_FILENO);
}

void write_out(std::string_view text) {
  if (state != OutputState::Good) return;
  const std::string shown = printable_lines(text);
  if (shape.columns == 0) {
    put(shown);
  } else {
    put_lines(shown);
  }
}

void write_error(std::string_view text) {
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
  std::fflush(stderr);
}

OutputState flush_out() {
  if (state == OutputState::Good && !unfinished.empty()) {
    put(unfinished);
    unfinished.clear();
  }
  if (state == OutputState::Good && std::fflush(stdout) != 0) remember_failure();
  return state;
}

}  // namespace alembert::app
