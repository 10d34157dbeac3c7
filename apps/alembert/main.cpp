#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/prepare_blas.hpp"
#include "alembert/core/printable.hpp"
#include "alembert/study/detail/problem.hpp"
#include "command_line.hpp"
#include "keep_memory.hpp"
#include "session.hpp"
#include "terminal/load_time.hpp"
#include "terminal/terminal.hpp"

namespace {

using alembert::app::fail;

// "file:line:column: what is wrong"
std::string placed_line(const alembert::PlacedError& error) {
  return to_string(alembert::study::Problem{error.place(), error.reason()});
}

int run(const std::vector<std::string>& arguments, alembert::app::Session& session) {
  try {
    return alembert::app::CommandLine().run(arguments, session);
  } catch (const alembert::DataError& error) {
    fail(session, placed_line(error), alembert::app::kBadData);
  } catch (const alembert::StudyError& error) {
    fail(session, placed_line(error), alembert::app::kBadUsage);
  } catch (const alembert::InvalidInput& error) {
    // The name of the function that minds is for programmers.
    fail(session, "alembert: " + alembert::printable_message(error.reason()),
         alembert::app::kBadUsage);
  } catch (const std::bad_alloc&) {
    fail(session, "alembert: not enough memory", alembert::app::kBadData);
  } catch (const std::system_error& error) {
    // A file that cannot be written, a folder that cannot be read.
    fail(session, std::string("alembert: ") + error.what(), alembert::app::kBadData);
  } catch (const std::exception& error) {
    fail(session, std::string("alembert: ") + error.what(), alembert::app::kNotSuccessful);
  }
}

}  // namespace

int main(int argc, char** argv) {
  alembert::app::restore_cores();
  alembert::app::keep_memory();
  alembert::app::prepare_terminal();
  alembert::prepare_blas();
  alembert::app::Session session;
  const int code = run(std::vector<std::string>(argv + 1, argv + argc), session);
  switch (alembert::app::flush_out()) {
    case alembert::app::OutputState::Good:
      break;
    case alembert::app::OutputState::ReaderGone:
      return alembert::app::kReaderGone;
    case alembert::app::OutputState::Failed:
      fail(session, "standard output: cannot be written", alembert::app::kBadData);
  }
  return code;
}
