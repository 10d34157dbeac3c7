#include <fmt/format.h>

#include "alembert/study/detail/key_reference.hpp"
#include "commands.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {

int keys_command(const KeysArguments& arguments, Session&) {
  say("{}", arguments.markdown ? study::keys_as_markdown() : study::keys_as_text(arguments.table));
  return kDone;
}

}  // namespace alembert::app
