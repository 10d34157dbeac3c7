#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/prepare_blas.hpp"
#include "command_line.hpp"
#include "session.hpp"

namespace {

int run(const std::vector<std::string>& arguments, alembert::app::Session& session) {
  try {
    const int code = alembert::app::CommandLine().run(arguments, session);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      alembert::app::fail(session, "standard output: cannot be written", alembert::app::kBadData);
    }
    return code;
  } catch (const alembert::DataError& error) {
    alembert::app::fail(session, error.what(), alembert::app::kBadData);
  } catch (const alembert::StudyError& error) {
    alembert::app::fail(session, error.what(), alembert::app::kBadUsage);
  } catch (const alembert::InvalidInput& error) {
    alembert::app::fail(session, error.what(), alembert::app::kBadUsage);
  } catch (const std::bad_alloc&) {
    alembert::app::fail(session, "alembert: not enough memory", alembert::app::kBadData);
  } catch (const std::system_error& error) {
    // A file or standard output that cannot be written, a folder that cannot be read.
    alembert::app::fail(session, std::string("alembert: ") + error.what(), alembert::app::kBadData);
  } catch (const std::exception& error) {
    alembert::app::fail(session, std::string("alembert: ") + error.what(),
                        alembert::app::kNotSuccessful);
  }
}

}  // namespace

int main(int argc, char** argv) {
  alembert::prepare_blas();
  alembert::app::Session session;
  return run(std::vector<std::string>(argv + 1, argv + argc), session);
}
