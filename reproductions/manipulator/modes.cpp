#include "alembert/model/modes.hpp"

#include <fmt/format.h>

#include <array>
#include <numbers>

#include "alembert/document/printed.hpp"
#include "alembert/model/flexible/equilibrium.hpp"
#include "reproductions/manipulator/dynamics.hpp"
#include "reproductions/manipulator/links.hpp"
#include "reproductions/manipulator/manipulator.hpp"

namespace alembert::reproductions::manipulator {
namespace {

using document::as_printed;
using Eigen::Index;
using Eigen::VectorXd;
using model::flexible::FlexibleMechanism;

constexpr Index kModes = 8;
const char* const kOtherProgram =
    "reference computation: an independent program with the node table of docs/theory/flexible.md";
const char* const kGap =
    "the printed masses and inertias do not give the printed frequencies: two equal elements of a "
    "rod with masses alone have modes 2 and 6 in another ratio, so rotary inertia is missing in "
    "table 4.5";

/// A model and what an independent program found for it.
struct Row {
  const char* name;
  Variant variant;
  double inner;
  std::array<const char*, kModes> hz;
  const char* highest;
};

/// [MultibodyThesis, table 5.5], Hz.
const std::array<const char*, kModes> kPrinted = {"14.2",  "43.5",  "67.0",  "129.1",
                                                  "147.3", "170.0", "205.0", "267.5"};
const std::array<Row, 3> kRows = {
    {{"table, inner node 0.85 m from C",
      Variant::Table,
      0.85,
      {"12.95", "45.30", "61.84", "126.80", "155.08", "174.21", "199.33", "300.28"},
      "4668"},
     {"table, inner node 0.60 m from C",
      Variant::Table,
      0.60,
      {"12.95", "45.30", "61.84", "134.70", "155.18", "174.21", "199.33", "315.50"},
      "6620"},
     {"calib, inner node 0.60 m from C",
      Variant::Calib,
      0.60,
      {"14.200", "43.497", "67.002", "129.089", "147.344", "169.899", "205.014", "267.359"},
      "6687"}}};

// Frequencies that are not zero, ascending, Hz.
VectorXd vibration(const FlexibleMechanism& mechanism) {
  const auto rest = model::flexible::find_equilibrium(mechanism, reference_pose());
  const model::UndampedModes modes =
      model::undamped_modes(model::flexible::linearise(mechanism, rest.x));
  const Index rigid = (modes.angular_frequency.array() == 0.0).count();
  return modes.angular_frequency.tail(modes.angular_frequency.size() - rigid) /
         (2.0 * std::numbers::pi);
}

void compare_row(const Row& row, const VectorXd& hz, Reproduction& result) {
  for (Index i = 0; i < kModes; ++i) {
    const char* const expected = row.hz[static_cast<std::size_t>(i)];
    result.claims.push_back(compared({.name = fmt::format("mode {}, {}", i + 1, row.name),
                                      .measured = hz(i),
                                      .unit = "Hz",
                                      .reference = std::stod(expected),
                                      .target = as_printed(expected),
                                      .source = kOtherProgram}));
  }
  result.claims.push_back(compared({.name = fmt::format("highest mode, {}", row.name),
                                    .measured = hz.tail<1>()(0),
                                    .unit = "Hz",
                                    .reference = std::stod(row.highest),
                                    .target = as_printed(row.highest),
                                    .source = kOtherProgram}));
}

void compare_with_thesis(const VectorXd& hz, Reproduction& result) {
  for (Index i = 0; i < kModes; ++i) {
    const char* const printed = kPrinted[static_cast<std::size_t>(i)];
    result.claims.push_back(compared({.name = fmt::format("mode {} from the printed tables", i + 1),
                                      .measured = hz(i),
                                      .unit = "Hz",
                                      .published = std::stod(printed),
                                      .target = as_printed(printed),
                                      .source = "MultibodyThesis, table 5.5",
                                      .reason = kGap}));
  }
}

void add_frequencies(Reproduction& result) {
  Table table{.id = "frequencies",
              .title = "Natural frequencies, plane level",
              .header = {"model", "1 [Hz]", "2 [Hz]", "3 [Hz]", "4 [Hz]", "5 [Hz]", "6 [Hz]",
                         "7 [Hz]", "8 [Hz]", "mean error [%]"},
              .caption =
                  "At 1.0821, 2.6354 and 4.7123 rad. Variant table has the numbers of the "
                  "thesis. In variant calib eight of them are fitted to the eight printed "
                  "frequencies: that it agrees proves nothing of the real manipulator."};
  table.values =
      Eigen::MatrixXd::Constant(static_cast<Index>(kRows.size()) + 1, kModes + 1, std::nan(""));
  table.rows.push_back({"MultibodyThesis, table 5.5"});
  for (Index i = 0; i < kModes; ++i) {
    table.values(0, i) = std::stod(kPrinted[static_cast<std::size_t>(i)]);
  }
  const VectorXd printed = table.values.row(0).head(kModes).transpose();
  Plot plot{.id = "errors",
            .title = "Difference from the printed frequencies",
            .x_label = "mode",
            .y_label = "difference [%]"};
  for (std::size_t r = 0; r < kRows.size(); ++r) {
    const Row& row = kRows[r];
    const VectorXd hz =
        vibration(FlexibleMechanism(links(row.variant, row.inner), reference_pose()));
    const VectorXd error = 100.0 * (hz.head(kModes) - printed).cwiseQuotient(printed);
    table.rows.push_back({row.name});
    table.values.row(static_cast<Index>(r) + 1) << hz.head(kModes).transpose(),
        error.cwiseAbs().mean();
    plot.curves.push_back({.name = row.name,
                           .x = VectorXd::LinSpaced(kModes, 1.0, kModes),
                           .y = error,
                           .style = Curve::Style::Points});
    compare_row(row, hz, result);
    if (r == 0) compare_with_thesis(hz, result);
  }
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(plot));
}

}  // namespace

Reproduction run_modes(const ReproduceOptions& /*options*/) {
  Reproduction result;
  result.name = "manipulator-modes";
  result.title = "A manipulator with five flexible links: its modes and its equations";
  result.source = "MultibodyThesis, chapters 4 and 5";
  result.summary =
      "Nine beam elements on an equivalent rigid-link system with a closed and an open chain. Two "
      "variants: the numbers of the printed tables, and eight of them fitted. Then identities that "
      "the matrices must keep, the energy of the published and of the complete equations without "
      "damping, and a driven run of 50 ms.";
  add_frequencies(result);
  add_rigid_mass(result);
  add_identities(result);
  add_energy(result);
  add_driven_run(result);
  return result;
}

}  // namespace alembert::reproductions::manipulator
