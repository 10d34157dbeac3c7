#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/core/parallel.hpp"
#include "alembert/core/status.hpp"
#include "alembert/document/claims.hpp"
#include "alembert/document/plot.hpp"
#include "alembert/document/table.hpp"

/// Published tables and figures, computed anew and held against the published numbers.
namespace alembert::reproductions {

// A reproduction speaks the words of documents.
using document::Claim;
using document::compared;
using document::Curve;
using document::Plot;
using document::promised;
using document::Table;
using document::within;

/// How much of a reproduction to run, and on what.
struct ReproduceOptions {
  bool full = false;                ///< the full size; otherwise a version that ends within 60 s
  std::filesystem::path data = {};  ///< folder of public benchmark records, for those that need it
  ParallelOptions parallel;         ///< threads, progress and stop request
};

/// What a reproduction found.
struct Reproduction : Outcome {
  std::string name;  ///< as on the command line
  std::string title;
  std::string summary;      ///< a few sentences: what is computed and how
  std::string source = {};  ///< the publication that is reproduced, "" when it is our own
  bool full = false;        ///< of full size
  std::vector<Claim> claims;
  std::vector<Table> tables;  ///< behind the claims: a text that names the row, then numbers
  std::vector<Plot> figures;
};

/// Writes result.json with the claims and the tables into an existing folder.
/// @throws DataError if that fails.
void write_reproduction(const Reproduction& reproduction, const std::filesystem::path& folder);

}  // namespace alembert::reproductions
