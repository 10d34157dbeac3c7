#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "alembert/io/uff_responses.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/uff/names.hpp"

namespace alembert::io {
namespace {

constexpr int kUffFrequencyResponse = 4;
constexpr double kSameLine = 1e-6;  // of the largest frequency: record 7 keeps 6 digits

// A pair of response and reference with its function.
struct FrfEntry {
  const UffFunction* function;
  std::size_t output, input;
};

std::size_t place_of_name(const std::string& name, const std::string& unit,
                          std::vector<std::string>& names, std::vector<std::string>& units) {
  const auto known = std::find(names.begin(), names.end(), name);
  if (known != names.end()) return static_cast<std::size_t>(known - names.begin());
  names.push_back(name);
  units.push_back(unit);
  return names.size() - 1;
}

std::string unit_label(const UffAxis& axis) {
  return is_none(axis.unit) ? "" : to_utf8(trimmed(axis.unit));
}

std::vector<FrfEntry> frf_entries(const std::vector<UffFunction>& functions, UffResponses& all) {
  std::vector<FrfEntry> entries;
  for (const UffFunction& one : functions) {
    if (one.type != kUffFrequencyResponse) continue;
    const std::string output =
        dof_name(one.response_name, one.response_node, one.response_direction);
    const std::string input =
        dof_name(one.reference_name, one.reference_node, one.reference_direction);
    if (!one.is_complex()) {
      throw DataError(one.place, fmt::format("the frequency response {} / {} has real values; "
                                             "magnitudes alone are not enough",
                                             output, input));
    }
    entries.push_back(
        {&one, place_of_name(output, unit_label(one.ordinate), all.outputs, all.output_units),
         place_of_name(input, unit_label(one.denominator), all.inputs, all.input_units)});
  }
  return entries;
}

void put_entry(const FrfEntry& entry, std::vector<bool>& filled, UffResponses& all) {
  const UffFunction& one = *entry.function;
  const std::string& output = all.outputs[entry.output];
  const std::string& input = all.inputs[entry.input];
  const Eigen::VectorXd f = one.abscissae();
  const double largest = all.frequencies_hz.cwiseAbs().maxCoeff();
  if (f.size() != all.frequencies_hz.size() ||
      (f - all.frequencies_hz).cwiseAbs().maxCoeff() > kSameLine * largest) {
    throw DataError(one.place,
                    fmt::format("the frequency response {} / {} is on other lines than the first",
                                output, input));
  }
  const std::size_t column = entry.input * all.outputs.size() + entry.output;
  if (filled[column]) {
    throw DataError(one.place,
                    fmt::format("the frequency response {} / {} is there twice", output, input));
  }
  filled[column] = true;
  all.values.col(static_cast<Eigen::Index>(column)) = one.complex_values();
}

}  // namespace

UffResponses uff_responses(const std::vector<UffFunction>& functions, const std::string& file) {
  UffResponses all;
  const std::vector<FrfEntry> entries = frf_entries(functions, all);
  if (entries.empty()) {
    throw DataError({.file = file}, "holds no frequency responses (function type 4)");
  }
  all.frequencies_hz = entries.front().function->abscissae();
  std::vector<bool> filled(all.outputs.size() * all.inputs.size(), false);
  all.values.resize(all.frequencies_hz.size(), static_cast<Eigen::Index>(filled.size()));
  for (const FrfEntry& entry : entries) put_entry(entry, filled, all);
  const auto missing = std::find(filled.begin(), filled.end(), false);
  if (missing == filled.end()) return all;
  const auto column = static_cast<std::size_t>(missing - filled.begin());
  throw DataError({.file = file}, fmt::format("has no frequency response {} / {}",
                                              all.outputs[column % all.outputs.size()],
                                              all.inputs[column / all.outputs.size()]));
}

UffResponses read_uff_responses(const std::filesystem::path& file) {
  return uff_responses(read_uff_functions(file), file.string());
}

}  // namespace alembert::io
