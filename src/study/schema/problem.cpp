#include "alembert/study/detail/problem.hpp"

#include "alembert/core/printable.hpp"

namespace alembert::study {
// Names from a study may hold anything; the promise is one line for each problem.
std::string to_string(const Problem& problem) {
  const std::string place = printable(to_string(problem.place));
  const std::string message = printable_message(problem.message);
  return place.empty() ? message : place + ": " + message;
}

void raise(const Problem& problem) {
  if (problem.in_data) {
    throw DataError(problem.place, problem.message);
  }
  throw StudyError(problem.place, problem.message);
}

bool attempt(std::vector<Problem>& problems, const std::function<void()>& function) {
  try {
    function();
    return true;
  } catch (const DataError& error) {
    problems.push_back({error.place(), error.reason(), true});
  } catch (const StudyError& error) {
    problems.push_back({error.place(), error.reason(), false});
  }
  return false;
}

}  // namespace alembert::study
