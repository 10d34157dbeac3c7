#include <array>

#include "reproductions/slider_crank/options.hpp"
#include "reproductions/slider_crank/rows.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

using estimate::FilterRule;
using estimate::MotionModel;

/// What is wrong, and the errors in the reference of the five observers.
struct CrankFault {
  std::string name;
  bool lengths = false;  ///< crank 1 % too long, rod 2 % too short
  double bias = 0.0;     ///< m/s²
  std::array<Errors, 5> reference = {};
};

std::vector<CrankFault> crank_faults() {
  return {{"lengths wrong",
           true,
           0.0,
           {{{.410, 53.6}, {.168, 9.3}, {.161, 2.80}, {.047, 1.87}, {.0078, .499}}}},
          {"bias 0.3 m/s^2",
           false,
           0.3,
           {{{.152, 21.5}, {.092, 6.4}, {.338, 8.06}, {.068, 3.60}, {.0079, .506}}}},
          {"lengths and bias 0.1 m/s^2",
           true,
           0.1,
           {{{.166, 25.1}, {.210, 15.5}, {.228, 4.64}, {.058, 2.12}, {.0079, .502}}}}};
}

Case fault_row(const CrankFault& fault, const std::string& observer,
               const estimate::KinematicObserverOptions& options, Tuning tuning) {
  Case row{.name = fault.name + ": " + observer, .options = options, .tuning = tuning};
  if (fault.lengths) row.model = {1.01 * 0.14, 0.98 * 0.56};
  row.bias = fault.bias;
  return row;
}

// Lengths or bias as states; they settle before errors are counted.
Case state_row(const CrankFault& fault, const std::string& observer, bool lengths, bool bias,
               Tuning tuning) {
  estimate::KinematicObserverOptions options =
      output_options(FilterRule::Ekf, MotionModel::WhiteJerk, kLogJerk);
  options.output.geometry = lengths;
  if (lengths) options.start.sigma_parameters = {0.002, 0.0126};
  if (bias) {
    options.output.biases = {1};
    options.start.sigma_biases = {0.32};
  }
  Case row = fault_row(fault, observer, options, tuning);
  row.scored_from = 2.0;
  return row;
}

std::vector<Case> rows_of(const CrankFault& fault) {
  const auto jerk = output_options(FilterRule::Ekf, MotionModel::WhiteJerk, kLogJerk);
  std::vector<Case> rows = {
      fault_row(fault, "input, switch 0.08",
                input_options(FilterRule::Simplex, 0.08, kNarrowLevels), Tuning::Levels),
      fault_row(fault, "input, switch 0.25",
                input_options(FilterRule::Simplex, 0.25, kMiddleLevels), Tuning::Levels),
      fault_row(fault, "output", jerk, Tuning::Density),
      fault_row(fault, "output, sigma of the accelerometer tuned", jerk, Tuning::DensityAndSensor),
      state_row(fault, "output, states for it", fault.lengths, fault.bias != 0.0, Tuning::None)};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].reference.all = fault.reference[i];
  rows.back().held = true;
  return rows;
}

}  // namespace

std::vector<Case> wrong_rows(bool full) {
  const std::vector<CrankFault> faults = crank_faults();
  std::vector<Case> rows;
  for (const CrankFault& fault : faults) {
    const std::vector<Case> more = rows_of(fault);
    rows.insert(rows.end(), full ? more.begin() : more.end() - 1, more.end());
  }
  if (!full) return rows;
  rows.push_back(state_row(faults[0], "output, state for a bias", false, true, Tuning::Density));
  rows.push_back(state_row(faults[1], "output, states for lengths", true, false, Tuning::Density));
  return rows;
}

}  // namespace alembert::reproductions::slider_crank
