#pragma once

#include <filesystem>
#include <string>

#include "alembert/document/document.hpp"

/// Documents drawn as pages, and the documents of the tasks.
namespace alembert::report {

/// Returns one self-contained HTML page (no network, no other files). The same document gives the
/// same bytes.
///
/// A page holds at most about 700 000 points of curves (some 5 MB), shared among its plots: curves
/// above their share keep the first, smallest, largest and last sample of each of many runs, and
/// the caption says so. Text is escaped everywhere; bytes that are not UTF-8 become U+FFFD.
/// @throws InvalidInput if x and y of a curve differ in size, names of a matrix do not fit, or a
///   row of a table is longer than its header or has no numbers where others have.
[[nodiscard]] std::string render_html(const document::Document& document);

/// Writes render_html(document) to a file. @throws DataError if it cannot be written.
void write_report(const std::filesystem::path& file, const document::Document& document);

}  // namespace alembert::report
