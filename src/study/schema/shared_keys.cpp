#include "study/schema/shared_keys.hpp"

namespace alembert::study {

KeySpec title_key() {
  return {.name = "title",
          .forms = kText,
          .help = "heading of the report",
          .fallback_note = "name of the file"};
}

std::vector<KeySpec> joined(std::vector<KeySpec> first, const std::vector<KeySpec>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

}  // namespace alembert::study
