#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/uff.hpp"
#include "alembert/study/responses/frf.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr int kResponseFunction = 4;  // of dataset 58
constexpr int kFrequency = 18;        // specific data type

struct FrfColumn {
  std::string name;
  std::vector<double> values;
};

// The name that data.frf of a study of modes asks for.
std::string response_name(const FrfStudy& study, std::size_t output, std::size_t input) {
  const std::string& name = study.outputs[output].name;
  return study.inputs.size() == 1 ? name : name + "/" + study.inputs[input].name;
}

// A column of one number for each line.
template <typename Of>
void add_column(const signal::FrfResult& found, const std::string& name, const Of& of,
                std::vector<FrfColumn>& columns) {
  FrfColumn column{.name = name, .values = {}};
  for (std::size_t k = 0; k < found.response.size(); ++k) column.values.push_back(of(k));
  columns.push_back(std::move(column));
}

std::vector<FrfColumn> frf_columns(const FrfOutcome& result) {
  const FrfStudy& study = result.study;
  const signal::FrfResult& found = result.found;
  std::vector<FrfColumn> columns;
  add_column(
      found, "frequency [Hz]",
      [&](std::size_t k) { return found.frequencies_hz(static_cast<Index>(k)); }, columns);
  for (std::size_t j = 0; j < study.inputs.size(); ++j) {
    for (std::size_t o = 0; o < study.outputs.size(); ++o) {
      const auto row = static_cast<Index>(o);
      const auto col = static_cast<Index>(j);
      const std::string name = response_name(study, o, j);
      add_column(
          found, name + ".re", [&](std::size_t k) { return found.response[k](row, col).real(); },
          columns);
      add_column(
          found, name + ".im", [&](std::size_t k) { return found.response[k](row, col).imag(); },
          columns);
      add_column(
          found, name + ".deviation",
          [&](std::size_t k) { return found.magnitude_deviation[k](row, col); }, columns);
      if (study.settings.average == FrfAverage::Local) continue;
      add_column(
          found, name + ".coherence",
          [&](std::size_t k) { return found.ordinary_coherence[k](row, col); }, columns);
    }
  }
  if (study.settings.average == FrfAverage::Local || study.inputs.size() == 1) return columns;
  for (std::size_t o = 0; o < study.outputs.size(); ++o) {
    add_column(
        found, study.outputs[o].name + ".multiple-coherence",
        [&](std::size_t k) {
          return found.multiple_coherence(static_cast<Index>(k), static_cast<Index>(o));
        },
        columns);
  }
  return columns;
}

std::string table_text(const std::vector<FrfColumn>& columns) {
  std::string text;
  for (std::size_t c = 0; c < columns.size(); ++c) text += (c == 0 ? "" : ",") + columns[c].name;
  text += "\n";
  for (std::size_t k = 0; k < columns.front().values.size(); ++k) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double value = columns[c].values[k];
      text +=
          fmt::format("{}{}", c == 0 ? "" : ",", std::isfinite(value) ? shortest(value) : "nan");
    }
    text += "\n";
  }
  return text;
}

void write_table(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw DataError({.file = file.string()}, "cannot be written");
}

// Nodes are numbered in the order of the study; names stand in ID line 1 and as entity names.
std::vector<io::UffFunction> universal_functions(const FrfOutcome& result) {
  const FrfStudy& study = result.study;
  const signal::FrfResult& found = result.found;
  const auto lines = static_cast<Index>(found.response.size());
  std::vector<io::UffFunction> functions;
  for (std::size_t j = 0; j < study.inputs.size(); ++j) {
    for (std::size_t o = 0; o < study.outputs.size(); ++o) {
      io::UffFunction one;
      one.id[0] = study.outputs[o].name + " / " + study.inputs[j].name;
      one.type = kResponseFunction;
      one.response_name = study.outputs[o].name.substr(0, 10);
      one.response_node = static_cast<long long>(o) + 1;
      one.reference_name = study.inputs[j].name.substr(0, 10);
      one.reference_node = static_cast<long long>(j) + 1;
      one.abscissa = {.data_type = kFrequency, .label = "Frequency", .unit = "Hz"};
      one.ordinate.unit = study.outputs[o].known_unit();
      one.denominator.unit = study.inputs[j].known_unit();
      one.start = found.frequencies_hz(0);
      one.step = lines > 1 ? found.frequencies_hz(1) - found.frequencies_hz(0) : 0.0;
      one.real.resize(lines);
      one.imaginary.resize(lines);
      for (Index k = 0; k < lines; ++k) {
        const std::complex<double> h = found.response[static_cast<std::size_t>(k)](
            static_cast<Index>(o), static_cast<Index>(j));
        one.real(k) = h.real();
        one.imaginary(k) = h.imag();
      }
      functions.push_back(std::move(one));
    }
  }
  return functions;
}

}  // namespace

void write_frf_result(const FrfOutcome& result, const std::filesystem::path& folder) {
  write_table(folder / "frf.csv", table_text(frf_columns(result)));
  io::write_uff_functions(folder / "frf.uff", universal_functions(result));
  write_result(describe(result), folder);
}

}  // namespace alembert::study
