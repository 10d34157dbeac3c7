// Times the identification of one acceleration record, for benchmarks/acceleration/run.
//
//   measure_acceleration RECORD.csv REPEATS WINDOW SHIFT
//
// Prints JSON: median seconds of processor time and parameters of each step.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "alembert/identify/acceleration_refine.hpp"
#include "alembert/identify/record_diagnosis.hpp"
#include "alembert/io/table.hpp"

namespace {

namespace identify = alembert::identify;

double median_seconds(int repeats, const std::function<void()>& work) {
  std::vector<double> times;
  for (int k = 0; k < repeats; ++k) {
    const std::clock_t begin = std::clock();
    work();
    times.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::string list(const Eigen::VectorXd& values) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    fmt::print(stderr, "measure_acceleration RECORD.csv REPEATS WINDOW SHIFT\n");
    return 2;
  }
  const alembert::signal::Record data = alembert::io::read_record(words[1], {});
  const int repeats = std::stoi(words[2]);
  identify::AccelerationRecord record;
  record.step = data.time().common_step().value();
  record.acceleration = data.values("acceleration");
  const identify::EquationOfMotion equation =
      identify::read_equation_of_motion("x'' + a*x' + b*x + c*x^3 = 0");
  identify::RegressionOptions options;
  options.windows = {.length = std::stod(words[3]), .shift = std::stod(words[4])};
  options.fit.offset = identify::Choice::Never;
  options.reconstruction.smoothing = identify::Choice::Never;

  identify::AccelerationRegression projected, published;
  identify::RefinedEquation refined;
  identify::RecordDiagnosis diagnosis;
  const double projection = median_seconds(
      repeats, [&] { projected = identify::regress_acceleration(equation, record, options); });
  identify::RegressionOptions fixed = options;
  fixed.fit.method = identify::RegressionMethod::FixedPoint;
  const double fixed_point = median_seconds(
      repeats, [&] { published = identify::regress_acceleration(equation, record, fixed); });
  const double refinement = median_seconds(std::max(1, repeats / 4), [&] {
    refined =
        identify::refine_equation(equation, record, projected, {.offset = identify::Choice::Never});
  });
  const double looking = median_seconds(
      repeats, [&] { diagnosis = identify::diagnose_record(record.acceleration, record.step); });
  fmt::print(
      "{{\"samples\": {}, \"windows\": {}, \"projection\": {:.6g}, \"projection_values\": {}, "
      "\"fixed_point\": {:.6g}, \"fixed_point_values\": {}, \"refinement\": {:.6g}, "
      "\"refinement_values\": {}, \"diagnosis\": {:.6g}, \"findings\": {}}}\n",
      record.samples(), projected.windows.size(), projection, list(projected.parameters),
      fixed_point, list(published.parameters), refinement, list(refined.parameters), looking,
      diagnosis.findings.size());
  return 0;
}
