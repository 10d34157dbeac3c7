#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "alembert/core/text.hpp"
#include "alembert/document/printed.hpp"
#include "alembert/reduce/flexible_reduction.hpp"
#include "reproductions/manipulator/links.hpp"
#include "reproductions/manipulator/manipulator.hpp"

namespace alembert::reproductions::manipulator {
namespace {

using document::as_printed;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using reduce::CarriedBasis;
using reduce::FlexibleReduction;
using reduce::ReducedPoseAccuracy;

constexpr Index kTargets = 6;   // modes of interest
constexpr Index kGrid = 7;      // poses along each of two angles
constexpr double kReach = 0.5;  // rad to each side
const char* const kMapSource = "reference computation: an independent program";

/// A basis and what an independent program found over the workspace.
struct BasisRow {
  CarriedBasis basis;
  const char* name;
  const char* orthogonality;  // smallest; "" where it is not known
  const char* error;          // largest, %
};

const std::array<BasisRow, 5> kBasisRows = {
    {{CarriedBasis::Fixed, "modes as they are", "0.40", "2.97e3"},
     {CarriedBasis::Rotated, "modes turned with the links", "0.998", "3.77"},
     {CarriedBasis::Iterated, "the same, one inverse iteration", "0.997", "0.86"},
     {CarriedBasis::Recomputed, "modes of each pose, ranked anew", "0.9986", "1.02"},
     {CarriedBasis::Residual, "residuals turned with the links", "", "3.8"}}};

FlexibleReduction reduction_of(const model::flexible::FlexibleMechanism& mechanism,
                               CarriedBasis basis, int interior = 4) {
  return {mechanism,
          reference_pose(),
          {.masters = {"x(AD.M)", "y(AD.M)", "x(BC.C)", "y(BC.C)", "x(EF.F)", "y(EF.F)"},
           .interior = interior,
           .modes = static_cast<int>(kTargets),
           .basis = basis}};
}

void add_claim(const std::string& name, double measured, const std::string& unit,
               const std::string& expected, Reproduction& result, const std::string& reason = "") {
  result.claims.push_back(compared({.name = name,
                                    .measured = measured,
                                    .unit = unit,
                                    .reference = std::stod(expected),
                                    .target = as_printed(expected),
                                    .source = kMapSource,
                                    .reason = reason}));
}

/// Errors over the workspace: rows are poses, columns modes.
struct WorkspaceErrors {
  MatrixXd frequency_error, orthogonality;
  VectorXd at_angle;  ///< largest error of the poses with that change of the first angle, %
};

WorkspaceErrors errors_over_workspace(const FlexibleReduction& reduction) {
  WorkspaceErrors made{.frequency_error = MatrixXd(kGrid * kGrid, kTargets),
                       .orthogonality = MatrixXd(kGrid * kGrid, kTargets),
                       .at_angle = VectorXd::Zero(kGrid)};
  const VectorXd steps = VectorXd::LinSpaced(kGrid, -kReach, kReach);
  for (Index i = 0; i < kGrid; ++i) {
    for (Index j = 0; j < kGrid; ++j) {
      const VectorXd pose = reference_pose() + Eigen::Vector3d(steps(i), steps(j), 0.0);
      const ReducedPoseAccuracy found = reduction.accuracy(pose);
      made.frequency_error.row(i * kGrid + j) = found.frequency_error;
      made.orthogonality.row(i * kGrid + j) = found.orthogonality;
      made.at_angle(i) = std::max(made.at_angle(i), 100.0 * found.frequency_error.maxCoeff());
    }
  }
  return made;
}

std::string numbers_of(const std::vector<int>& list) {
  std::vector<std::string> texts;
  for (const int one : list) texts.push_back(std::to_string(one));
  return join(texts, ", ");
}

// At the pose of reference: which interior modes are kept, and how good they are.
void add_reference_pose(Reproduction& result) {
  const model::flexible::FlexibleMechanism calib(links(Variant::Calib, kInnerNode),
                                                 reference_pose());
  const model::flexible::FlexibleMechanism printed(links(Variant::Table, kInnerNode),
                                                   reference_pose());
  const FlexibleReduction ranked = reduction_of(calib, CarriedBasis::Rotated);
  const FlexibleReduction of_table = reduction_of(printed, CarriedBasis::Rotated);
  result.summary +=
      fmt::format(" Interior modes that rank first: {} (variant calib), {} (variant table).",
                  numbers_of(ranked.kept()), numbers_of(of_table.kept()));
  const std::array<int, 4> expected = {2, 1, 3, 5};
  const std::array<int, 4> expected_table = {1, 2, 4, 7};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    add_claim(fmt::format("interior mode that ranks {}, calib", i + 1), ranked.kept()[i], "",
              std::to_string(expected[i]), result);
  }
  std::vector<int> kept = of_table.kept();
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    add_claim(fmt::format("interior mode {} of those kept, table", i + 1), kept[i], "",
              std::to_string(expected_table[i]), result);
  }
  const ReducedPoseAccuracy at_rest = ranked.accuracy(reference_pose());
  const std::array<const char*, kTargets> error = {"0.033", "0.002", "0.052",
                                                   "0.254", "0.783", "0.004"};
  const std::array<const char*, kTargets> same = {"1.00000", "1.00000", ".99999",
                                                  ".9987",   ".9987",   ".99998"};
  for (Index i = 0; i < kTargets; ++i) {
    const auto at = static_cast<std::size_t>(i);
    add_claim(fmt::format("frequency error of mode {}, calib", i + 1),
              100.0 * at_rest.frequency_error(i), "%", error[at], result);
    add_claim(fmt::format("orthogonality of mode {}, calib", i + 1), at_rest.orthogonality(i), "",
              same[at], result);
  }
  add_claim("largest frequency error of residual vectors, calib",
            100.0 * reduction_of(calib, CarriedBasis::Residual)
                        .accuracy(reference_pose())
                        .frequency_error.maxCoeff(),
            "%", "0.067", result);
  add_claim("largest frequency error, table",
            100.0 * of_table.accuracy(reference_pose()).frequency_error.maxCoeff(), "%", "1.02",
            result);
  result.claims.push_back(
      promised({.name = "frequency error of six residual vectors, calib",
                .measured = reduction_of(calib, CarriedBasis::Residual, 6)
                                .accuracy(reference_pose())
                                .frequency_error.maxCoeff(),
                .target = "<= 1e-8",
                .source = "own promise: the modes of interest themselves are in the space"}));
}

void add_workspace(Reproduction& result) {
  const model::flexible::FlexibleMechanism mechanism(links(Variant::Calib, kInnerNode),
                                                     reference_pose());
  Table table{.id = "workspace",
              .title = "Small models of 13 coordinates over the workspace",
              .header = {"interior vectors", "least orthogonality", "largest error [%]",
                         "of mode 1 [%]", "of modes 2 to 6 [%]"},
              .caption = "Variant calib, 7 x 7 poses, both driven angles 0.5 rad to each side"};
  table.values.resize(static_cast<Index>(kBasisRows.size()), 4);
  Plot plot{.id = "errors",
            .title = "Largest frequency error of six modes",
            .x_label = "change of the angle of AB [rad]",
            .y_label = "error [%]"};
  double best = 1e300;
  for (std::size_t r = 0; r < kBasisRows.size(); ++r) {
    const BasisRow& row = kBasisRows[r];
    const WorkspaceErrors found = errors_over_workspace(reduction_of(mechanism, row.basis));
    const double largest = 100.0 * found.frequency_error.maxCoeff();
    table.rows.push_back({row.name});
    table.values.row(static_cast<Index>(r)) << found.orthogonality.minCoeff(), largest,
        100.0 * found.frequency_error.col(0).maxCoeff(),
        100.0 * found.frequency_error.rightCols(kTargets - 1).maxCoeff();
    add_claim(fmt::format("largest error over the workspace, {}", row.name), largest, "%",
              row.error, result);
    if (*row.orthogonality != '\0') {
      add_claim(fmt::format("least orthogonality over the workspace, {}", row.name),
                found.orthogonality.minCoeff(), "", row.orthogonality, result);
    }
    best = std::min(best, largest);
    if (row.basis == CarriedBasis::Fixed) continue;  // its errors would hide the others
    plot.curves.push_back(
        {.name = row.name, .x = VectorXd::LinSpaced(kGrid, -kReach, kReach), .y = found.at_angle});
  }
  result.claims.push_back(promised({.name = "largest error over the workspace, best basis",
                                    .measured = best,
                                    .unit = "%",
                                    .reference = 0.86,
                                    .target = "<= 0.9",
                                    .source = "own promise: set before the first run"}));
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(plot));
}

}  // namespace

Reproduction run_reduction(const ReproduceOptions& /*options*/) {
  Reproduction result;
  result.name = "manipulator-reduction";
  result.title = "A manipulator with five flexible links: small models that move with it";
  result.source = "MultibodyThesis, chapter 5";
  result.summary =
      "Three angles and six displacements are kept, and four vectors of the interior: 13 of 30 "
      "coordinates for the six lowest modes. The vectors are chosen in one pose and carried to "
      "others in five ways. An error is that of the frequency of the reduced mode nearest to each "
      "mode.";
  add_reference_pose(result);
  add_workspace(result);
  return result;
}

}  // namespace alembert::reproductions::manipulator
