#include "write_report.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "alembert/core/error.hpp"

namespace alembert::app {

void write_text(const std::string& text, const std::filesystem::path& file) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()},
                    "cannot be written: " + std::generic_category().message(errno));
  }
}

void write_report(const document::Document& document, const std::filesystem::path& file) {
  write_text(report::render_html(document), file);
}

}  // namespace alembert::app
