#include "terminal/terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "alembert/core/printable.hpp"

namespace alembert::app {
namespace {

// Of the one standard output that there is.
OutputState state = OutputState::Good;

void remember_failure() {
  if (state != OutputState::Good) return;
  state = errno == EPIPE ? OutputState::ReaderGone : OutputState::Failed;
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
}

void write_out(std::string_view text) {
  if (state != OutputState::Good) return;
  const std::string shown = printable_lines(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) remember_failure();
}

void write_error(std::string_view text) {
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
  std::fflush(stderr);
}

OutputState flush_out() {
  if (state == OutputState::Good && std::fflush(stdout) != 0) remember_failure();
  return state;
}

}  // namespace alembert::app
