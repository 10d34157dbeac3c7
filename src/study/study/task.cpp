#include "alembert/study/task.hpp"

namespace alembert::study {

std::string TaskResult::failure() const {
  return std::string(to_string(outcome().status)) + ": " + outcome().message;
}

}  // namespace alembert::study
