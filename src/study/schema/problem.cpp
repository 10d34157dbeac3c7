#include "alembert/study/detail/problem.hpp"

#include <algorithm>

namespace alembert::study {
namespace {

// Names from a study may hold line breaks; the promise is one line for each problem.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

std::string to_string(const Problem& problem) {
  const std::string place = to_string(problem.place);
  return one_line(place.empty() ? problem.message : place + ": " + problem.message);
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
