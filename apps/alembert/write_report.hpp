#pragma once

#include <filesystem>

#include "alembert/report/page.hpp"

namespace alembert::app {

/// Draws a report into a file. @throws DataError if it cannot be written.
void write_report(const document::Document& document, const std::filesystem::path& file);

/// Writes a text file. @throws DataError if that fails.
void write_text(const std::string& text, const std::filesystem::path& file);

}  // namespace alembert::app
