#include "study/schema/shared_keys.hpp"

namespace alembert::study {

KeySpec title_key() {
  return {.name = "title",
          .forms = kText,
          .help = "heading of the report",
          .fallback_note = "name of the file"};
}

KeySpec author_key() {
  return {.name = "author",
          .forms = kText,
          .help = "who made the study, for the report",
          .fallback_note = "not shown"};
}

KeySpec customer_key() {
  return {.name = "customer",
          .forms = kText,
          .help = "for whom it was made, for the report",
          .fallback_note = "not shown"};
}

bool is_heading(std::string_view key) {
  return key == "title" || key == "author" || key == "customer";
}

std::vector<KeySpec> joined(std::vector<KeySpec> first, const std::vector<KeySpec>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

}  // namespace alembert::study
