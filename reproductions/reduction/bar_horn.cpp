#include <fmt/format.h>

#include <array>
#include <cmath>

#include "alembert/document/printed.hpp"
#include "reproductions/reduction/reduction.hpp"
#include "reproductions/reduction/sizes.hpp"
#include "reproductions/studies.hpp"

namespace alembert::reproductions::reduction {
namespace {

using document::as_printed;
using Eigen::Index;
using reduce::Method;
using reduce::ReduceResult;

const char* const kHornStudy = "bar-horn/reduce.toml";
const char* const kReference =
    "reference computation: an independent program on the same mesh and masters";
const char* const kMesh =
    "the thesis prints no grid lines, not which nodes are masters and not whether stress or strain "
    "is plane: this mesh has its number of unknowns";
const std::vector<Method> kHornMethods = {Method::Frequency, Method::InterfaceMass,
                                          Method::InterfaceMoments, Method::ModeRanking,
                                          Method::ModeResiduals};

/// A number as the thesis and as the reference computation print it.
struct Printed {
  std::string thesis, reference;
};

/// [MultibodyThesis, table 5.1], per cent, for 7 to 15 coordinates.
const std::array<Printed, 9> kTruncation = {{{"70.8666", "71.67"},
                                             {"47.9001", "52.28"},
                                             {"35.4221", "38.00"},
                                             {"25.5901", "27.76"},
                                             {"17.0620", "18.44"},
                                             {"8.5531", "9.26"},
                                             {"3.3567", "3.56"},
                                             {"1.5902", "1.87"},
                                             {"0.7700", "0.77"}}};

// A number against the thesis, and against the reference computation.
void compare_horn(const std::string& name, double measured, const std::string& unit,
                  const Printed& printed, const std::string& where, Reproduction& result) {
  if (!printed.thesis.empty()) {
    result.claims.push_back(compared({.name = name,
                                      .measured = measured,
                                      .unit = unit,
                                      .published = std::stod(printed.thesis),
                                      .target = as_printed(printed.thesis),
                                      .source = "MultibodyThesis, " + where,
                                      .reason = kMesh}));
  }
  if (!printed.reference.empty()) {
    result.claims.push_back(compared({.name = name + ", same mesh",
                                      .measured = measured,
                                      .unit = unit,
                                      .reference = std::stod(printed.reference),
                                      .target = as_printed(printed.reference),
                                      .source = kReference}));
  }
}

void add_horn_modes(const ReduceResult& found, Reproduction& result) {
  const Eigen::VectorXd& hz = found.modes.frequency_hz;
  compare_horn("frequency of mode 8", 1e-3 * hz(7), "kHz", {"24.878", "24.889"}, "section 5.2.2.2",
               result);
  compare_horn("frequency of mode 14", 1e-3 * hz(13), "kHz", {"48.543", "48.662"},
               "section 5.2.2.2", result);
}

void add_truncation(const ReduceResult& found, Index masters, Reproduction& result) {
  Table table{.id = "truncation",
              .title = "bound of the truncation error by size",
              .header = {"coordinates", "ours [%]", "MultibodyThesis, table 5.1 [%]",
                         "same mesh, reference [%]", "interior mode added"},
              .caption =
                  "Modes 8 and 14 with equal weights. The printed order of the interior "
                  "modes from 15 coordinates on is 12, 22, 34, 26, 19, 29."};
  table.values.resize(static_cast<Index>(kTruncation.size()), 4);
  double smallest = std::nan("");
  for (std::size_t i = 0; i < kTruncation.size(); ++i) {
    const auto k = static_cast<Index>(i) + 1;
    const double bound = 100.0 * found.ranking.bound(k);
    const std::string size = std::to_string(masters + k);
    table.rows.push_back({size});
    table.values.row(k - 1) << bound, std::stod(kTruncation[i].thesis),
        std::stod(kTruncation[i].reference), static_cast<double>(found.ranking.order[i] + 1);
    if (std::isnan(smallest) && bound <= 1.0) smallest = static_cast<double>(masters + k);
    compare_horn("truncation bound, " + size + " coordinates", bound, "%", kTruncation[i],
                 "table 5.1", result);
  }
  result.tables.push_back(std::move(table));
  compare_horn("coordinates for a truncation bound of 1 %", smallest, "", {"15", "15"}, "table 5.1",
               result);
}

void add_horn_errors(const ReduceResult& ranked, Reproduction& result) {
  const std::array<Printed, 4> printed = {
      {{"0.09", "0.066"}, {"0.9994", "0.9992"}, {"0.79", "0.405"}, {"0.9779", "0.9921"}}};
  for (std::size_t i = 0; i < ranked.mode_errors.size(); ++i) {
    const reduce::ModeError& one = ranked.mode_errors[i];
    const std::string which = fmt::format("mode {}, 15 coordinates", one.mode);
    compare_horn("frequency error of " + which, 100.0 * one.frequency_error, "%", printed[2 * i],
                 "table 5.2", result);
    compare_horn("NCO of " + which, one.nco, "", printed[2 * i + 1], "table 5.2", result);
  }
}

void add_horn_sizes(const ReduceResult& coarse, const ReduceResult& fine, Reproduction& result) {
  Table table{.id = "sizes",
              .title = "coordinates that each method needs for both modes",
              .header = {"method", "NCO 0.99, 1 %", "NCO 0.999, 0.1 %"},
              .caption =
                  "Six masters and interior coordinates, searched up to 101; empty: not "
                  "within. From the size shown on all larger ones are good too. "
                  "interface-mass: the scaling was not checked against its source."};
  table.values.resize(static_cast<Index>(kHornMethods.size()), 2);
  for (std::size_t i = 0; i < kHornMethods.size(); ++i) {
    table.rows.push_back({std::string(name_of(kHornMethods[i]))});
    table.values.row(static_cast<Index>(i)) << size_of(coarse, kHornMethods[i]),
        size_of(fine, kHornMethods[i]);
  }
  result.tables.push_back(std::move(table));
  const auto add = [&](Method method, const char* first, const char* second) {
    const std::string name = fmt::format("coordinates by {}", name_of(method));
    compare_horn(name + ", NCO 0.99 and 1 %", size_of(coarse, method), "", {"", first}, "", result);
    compare_horn(name + ", NCO 0.999 and 0.1 %", size_of(fine, method), "", {"", second}, "",
                 result);
  };
  add(Method::ModeRanking, "15", "23");
  add(Method::Frequency, "28", "50");
  add(Method::InterfaceMoments, "27", "44");
  result.claims.push_back(
      promised({.name = "coordinates by mode-residuals, NCO 0.999 and 0.1 %",
                .measured = size_of(fine, Method::ModeResiduals),
                .target = "<= 8",
                .source = "own promise: six masters and one for each of two modes"}));
}

double missing_nco(const reduce::TradeOff& one) { return 1.0 - one.nco; }
double frequency_error(const reduce::TradeOff& one) { return one.frequency_error; }

}  // namespace

Reproduction run_bar_horn(const ReproduceOptions& /*options*/) {
  Reproduction result;
  result.name = "bar-horn";
  result.title = "Small models of a bar horn: which interior modes matter";
  result.source = "MultibodyThesis, section 5.2.2";
  result.summary =
      "A plane horn with 316 unknowns of which modes 8 and 14 must be right. Interior modes are "
      "ranked by their share in these modes (closed form), by frequency and by what the "
      "interface feels of them; the interior parts of the two modes themselves make the "
      "smallest model.";
  const study::ReduceStudy study = study_reduction(kHornStudy);
  const auto masters = static_cast<Index>(study.masters.size());
  const reduce::ReduceOptions asked{.modes = {8, 14}, .largest = 101};
  const ReduceResult coarse = reduce::reduce_structure(study.structure, study.masters, asked);
  const ReduceResult fine = reduce::reduce_structure(
      study.structure, study.masters,
      {.modes = {8, 14}, .frequency_error = 1e-3, .nco = 0.999, .largest = 101});
  const ReduceResult ranked =
      reduce::reduce_structure(study.structure, study.masters,
                               {.method = Method::ModeRanking, .modes = {8, 14}, .size = 15});
  compare_horn("unknowns", static_cast<double>(study.structure.size()), "", {"316", ""},
               "section 5.2.2.2", result);
  add_horn_modes(coarse, result);
  add_truncation(coarse, masters, result);
  add_horn_errors(ranked, result);
  add_horn_sizes(coarse, fine, result);
  result.figures.push_back(curves_of(coarse, kHornMethods,
                                     {.id = "nco",
                                      .title = "1 - NCO of the worse mode",
                                      .x_label = "coordinates",
                                      .y_label = "1 - NCO",
                                      .log_y = true},
                                     missing_nco));
  result.figures.push_back(curves_of(coarse, kHornMethods,
                                     {.id = "frequency",
                                      .title = "Frequency error of the worse mode",
                                      .x_label = "coordinates",
                                      .y_label = "relative error",
                                      .log_y = true},
                                     frequency_error));
  return result;
}

}  // namespace alembert::reproductions::reduction
