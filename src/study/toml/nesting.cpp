#include "study/toml/nesting.hpp"

#include <cstddef>
#include <string_view>

#include "alembert/core/error.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kMaxDepth = 32;

/// Walks over TOML text, past comments and strings, and counts dots and brackets.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        count(c);
        ++at_;
      }
    }
  }

 private:
  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      ++at_;
    }
  }

  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool long_string = text_.substr(at_, 3) == triple;
    at_ += long_string ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (long_string ? text_.substr(at_, 3) == triple
                             : text_[at_] == quote || text_[at_] == '\n') {
        at_ += long_string ? 3 : 1;
        return;
      } else {
        ++at_;
      }
    }
  }

  void count(char c) {
    if (c == '.') {
      if (++dots_ > kMaxDepth) {
        fail("a key has more than 32 parts");
      }
      return;
    }
    if (c == '[' || c == '{') {
      if (++depth_ > kMaxDepth) {
        fail("brackets nest deeper than 32 levels");
      }
    }
    if ((c == ']' || c == '}') && depth_ > 0) {
      --depth_;
    }
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
      dots_ = 0;
    }
  }

  [[noreturn]] void fail(const char* reason) const {
    std::size_t line = 1;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < at_; ++i) {
      if (text_[i] == '\n') {
        ++line;
        begin = i + 1;
      }
    }
    throw StudyError({.file = file_, .line = line, .column = at_ - begin + 1}, reason);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t dots_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

void check_nesting(const std::string& text, const std::string& file) { Scanner(text, file).run(); }

}  // namespace alembert::study
