#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "doctor/checks.hpp"
#include "doctor/facts.hpp"
#include "help_page.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

constexpr std::size_t kNameWidth = 17;

const char* mark(Check::State found) {
  switch (found) {
    case Check::State::Good:
      return "ok";
    case Check::State::Absent:
      return "-";
    case Check::State::Bad:
      break;
  }
  return "BAD";
}

}  // namespace

int doctor_command(Session& session) {
  if (!session.machines.is_first()) return kDone;
  for (const auto& [name, text] : machine_facts()) {
    say("  {:<{}}{}\n", name, kNameWidth, wrapped(text, kNameWidth + 2));
  }
  say("\n");
  const std::vector<Check> checks = run_checks();
  for (const Check& check : checks) {
    say("  {:<{}}{:<5}{}\n", check.name, kNameWidth, mark(check.state),
        wrapped(check.text, kNameWidth + 7));
  }
  const auto bad = std::count_if(checks.begin(), checks.end(), [](const Check& check) {
    return check.state == Check::State::Bad;
  });
  say("\n{}\n", bad == 0 ? "nothing is wrong; \"-\" marks optional parts that are not there"
                         : fmt::format("{} of {} checks failed", bad, checks.size()));
  return bad == 0 ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
