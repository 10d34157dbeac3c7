#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "alembert/core/parallel.hpp"
#include "alembert/core/status.hpp"
#include "alembert/document/claims.hpp"

namespace alembert::study {}

/// Published tables and figures, computed anew and held against the published numbers.
namespace alembert::reproductions {

// A reproduction speaks the words of studies and documents.
using namespace study;     // NOLINT(google-build-using-namespace)
using namespace document;  // NOLINT(google-build-using-namespace)

/// How much of a reproduction to run, and on what.
struct ReproduceOptions {
  bool full = false;                ///< the full size; otherwise a version that ends within 60 s
  std::filesystem::path data = {};  ///< folder of public benchmark records, for those that need it
  ParallelOptions parallel;         ///< threads, progress and stop request
};

/// A table of numbers behind the claims.
struct NumberTable {
  std::string id;  ///< unique in the reproduction, used in file names
  std::string title;
  std::string row_title;               ///< heading of the first column, "step [s]"
  std::vector<std::string> columns;    ///< headings of the number columns, with units
  std::vector<std::string> rows = {};  ///< first cell of each row
  Eigen::MatrixXd values = {};         ///< rows x columns; NaN leaves the cell empty
  std::string caption = {};
};

/// A curve of a figure.
struct Series {
  std::string name;
  Eigen::VectorXd x, y;
  bool points = false;  ///< markers instead of a line
};

/// A figure behind the claims.
struct Figure {
  std::string id;
  std::string title;
  std::string x_label, y_label;  ///< with units
  bool log_x = false;
  bool log_y = false;
  std::vector<Series> series = {};
  std::string caption = {};
};

/// What a reproduction found.
struct Reproduction : Outcome {
  std::string name;  ///< as on the command line
  std::string title;
  std::string summary;      ///< a few sentences: what is computed and how
  std::string source = {};  ///< the publication that is reproduced, "" when it is our own
  bool full = false;        ///< of full size
  std::vector<Claim> claims;
  std::vector<NumberTable> tables;
  std::vector<Figure> figures;
};

/// A reproduction known by name.
struct ReproductionEntry {
  std::string name;
  std::string help;  ///< one line
  std::function<Reproduction(const ReproduceOptions&)> run;
};

/// All reproductions, in the order of the help page.
[[nodiscard]] const std::vector<ReproductionEntry>& reproductions();

/// The one of this name.
/// @throws InvalidInput for an unknown name, with the nearest known one.
[[nodiscard]] const ReproductionEntry& find_reproduction(const std::string& name);

/// Runs one by name.
/// @throws InvalidInput for an unknown name, with the nearest known one.
Reproduction reproduce(const std::string& name, const ReproduceOptions& options = {});

/// Writes result.json with the claims and the tables into an existing folder.
/// @throws DataError if that fails.
void write_reproduction(const Reproduction& reproduction, const std::filesystem::path& folder);

}  // namespace alembert::reproductions
