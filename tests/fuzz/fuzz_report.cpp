#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "alembert/report/page.hpp"

namespace {

using namespace alembert::document;

void require(bool condition) {
  if (!condition) std::abort();
}

// Texts and numbers for a document, one after the other; the last text again when all are used.
class Supply {
 public:
  explicit Supply(std::string_view bytes) : bytes_(bytes) {}

  std::string text() {
    const std::size_t end = bytes_.find('\n');
    if (!bytes_.empty()) last_ = std::string(bytes_.substr(0, end));
    bytes_.remove_prefix(end == std::string_view::npos ? bytes_.size() : end + 1);
    return last_;
  }

  // The bits of eight letters: any number, infinities and NaN among them.
  double number() {
    std::array<char, sizeof(double)> held{};
    const std::size_t count = std::min(held.size(), last_.size());
    if (!last_.empty())
      std::memcpy(held.data(), last_.data() + next_ % (last_.size() - count + 1), count);
    ++next_;
    double value = 0.0;
    std::memcpy(&value, held.data(), sizeof(value));
    return value;
  }

  Eigen::VectorXd numbers(Eigen::Index count) {
    Eigen::VectorXd values(count);
    for (double& value : values) value = number();
    return values;
  }

 private:
  std::string_view bytes_;
  std::string last_;
  std::size_t next_ = 0;
};

Plot plot_of(Supply& supply) {
  Plot plot{.id = supply.text(),
            .title = supply.text(),
            .x_label = supply.text(),
            .y_label = supply.text(),
            .caption = supply.text()};
  plot.log_x = plot.title.size() % 2 == 1;
  plot.curves.push_back({.name = supply.text(), .x = supply.numbers(5), .y = supply.numbers(5)});
  plot.curves.push_back(
      {.name = supply.text(), .x = {}, .y = supply.numbers(5), .unit = supply.text()});
  plot.curves.back().group = supply.text();
  plot.markers.push_back({supply.number(), supply.text()});
  return plot;
}

Table table_of(Supply& supply) {
  return {.id = supply.text(),
          .title = supply.text(),
          .header = {supply.text(), supply.text(), supply.text()},
          .rows = {{supply.text(), supply.text()}, {supply.text(), supply.text()}},
          .values = supply.numbers(2),
          .caption = supply.text(),
          .status_column = static_cast<int>(supply.text().size() % 4) - 1};
}

MatrixView matrix_of(Supply& supply) {
  return {.id = supply.text(),
          .title = supply.text(),
          .values = supply.numbers(4).reshaped(2, 2),
          .row_names = {supply.text(), supply.text()},
          .column_names = {supply.text(), supply.text()},
          .unit = supply.text(),
          .caption = supply.text()};
}

Animation animation_of(Supply& supply) {
  Animation animation{.id = supply.text(), .title = supply.text(), .bodies = {supply.text()}};
  animation.times = supply.numbers(2);
  animation.poses = supply.numbers(6).reshaped(2, 3);
  animation.shapes.push_back({.kind = MovingShape::Kind::Wheel,
                              .body = 0,
                              .points = {{supply.number(), supply.number()}},
                              .radius = supply.number()});
  animation.links.push_back({.a_body = -1, .b_body = 0, .a = {supply.number(), 0.0}, .b = {0, 0}});
  animation.traces.push_back({{supply.number(), supply.number()}, {0.0, 1.0}});
  animation.speed = supply.number();
  animation.caption = supply.text();
  return animation;
}

Document document_of(Supply& supply) {
  Document document{.title = supply.text(), .subtitle = supply.text()};
  document.verdict = alembert::Verdict{};
  document.verdict->reasons = {supply.text()};
  document.verdict->advice = {supply.text()};
  document.facts = {{supply.text(), supply.text()}};
  document.sections.push_back({supply.text(), {Paragraph{supply.text()}}});
  document.sections.push_back({supply.text(), {table_of(supply), plot_of(supply)}});
  document.sections.push_back({supply.text(), {matrix_of(supply), animation_of(supply)}});
  document.sections.push_back({supply.text(), {Listing{supply.text(), supply.text()}}});
  return document;
}

// The body of a page without the script at its end, which is the same in all.
std::string body_of(const std::string& page) {
  const std::size_t begin = page.find("<body>");
  const std::size_t script = page.rfind("<script>");
  require(begin != std::string::npos && script != std::string::npos && begin < script);
  return page.substr(begin, script - begin);
}

std::size_t count_of(std::string_view text, std::string_view page) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = page.find(text, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

// All tags without the values of their attributes, which stand in quotes and hold none.
std::string marks_of(std::string_view page) {
  std::string marks;
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string_view::npos;) {
    const std::size_t end = page.find('>', at);
    require(end != std::string_view::npos);
    bool quoted = false;
    for (const char c : page.substr(at, end - at)) {
      if (c == '"') quoted = !quoted;
      if (!quoted) marks += c;
    }
    require(!quoted);
    at = end;
  }
  return marks;
}

// Nothing that runs, loads or leads elsewhere: all that does is made by the page's own script.
void check_marks(const std::string& body) {
  require(count_of("<script", body) == count_of("<script type=\"application/json\">", body));
  const std::string marks = marks_of(body);
  for (const std::string_view word : {"<style", "<img", "<iframe", "<object", "<embed", "<form",
                                      "<base", "<link", "<meta", " on", " src", "'"}) {
    require(marks.find(word) == std::string::npos);
  }
  require(count_of(" style=", marks) == count_of(" style=\"--a:", body));
  require(count_of("<a href=", body) == count_of("<a href=\"#section-", body));
}

bool is_plain(std::string_view page) {
  for (const char c : page) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f) return false;
  }
  return page.find("\xE2\x80\xAE") == std::string_view::npos &&
         page.find("\xC2\x9B") == std::string_view::npos;
}

}  // namespace

// Whatever the texts and numbers of a document are: its page has our marks alone, and no control.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Supply supply({reinterpret_cast<const char*>(data), size});
  const std::string page = alembert::report::render_html(document_of(supply));
  const std::string body = body_of(page);
  require(is_plain(body));
  check_marks(body);
  return 0;
}
