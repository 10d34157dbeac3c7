#include <limits>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/acceleration.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Rows of the regression may be fewer than samples: NaN between them.
Eigen::VectorXd spread_out(const Eigen::VectorXd& rows, Eigen::Index samples, Eigen::Index every) {
  Eigen::VectorXd values = Eigen::VectorXd::Constant(samples, kNoNumber);
  for (Eigen::Index k = 0; k < rows.size() && k * every < samples; ++k) values(k * every) = rows(k);
  return values;
}

void write_motion(const AccelerationOutcome& result, std::size_t e,
                  const std::filesystem::path& file) {
  const identify::RecordFit& record = result.records[e];
  const identify::AccelerationRecord& data = result.study.records[e];
  const Eigen::Index n = data.samples();
  const Eigen::Index every = result.study.options.regression.reconstruction.every;
  Eigen::MatrixXd samples(n, 7);
  samples.col(0) = data.acceleration;
  samples.col(1) = record.fitted;
  samples.col(2) = record.residual;
  samples.col(3) = record.motion.displacement;
  samples.col(4) = record.motion.velocity;
  samples.col(5) = spread_out(record.joined_displacement, n, every);
  samples.col(6) = spread_out(record.joined_velocity, n, every);
  io::write_record(file, {signal::TimeAxis::uniform(n, data.step, data.start_time),
                          {{.name = "acceleration", .unit = "m/s^2"},
                           {.name = "acceleration_fitted", .unit = "m/s^2"},
                           {.name = "acceleration_residual", .unit = "m/s^2"},
                           {.name = "displacement", .unit = "m"},
                           {.name = "velocity", .unit = "m/s"},
                           {.name = "displacement_regression", .unit = "m"},
                           {.name = "velocity_regression", .unit = "m/s"}},
                          std::move(samples),
                          result.study.title});
}

// One row per window, at the time of its middle.
void write_windows(const AccelerationOutcome& result, std::size_t e,
                   const std::filesystem::path& file) {
  const identify::AccelerationRegression& regression = result.records[e].regression;
  std::vector<signal::Channel> channels = {{.name = "amplitude", .unit = "m"},
                                           {.name = "good"},
                                           {.name = "equivalent_stiffness", .unit = "1/s^2"},
                                           {.name = "equivalent_damping", .unit = "1/s"},
                                           {.name = "x0", .unit = "m"},
                                           {.name = "v0", .unit = "m/s"},
                                           {.name = "offset", .unit = "m/s^2"},
                                           {.name = "residual", .unit = "m/s^2"},
                                           {.name = "iterations"}};
  for (const std::string& name : regression.names) channels.push_back({.name = name});
  const auto rows = static_cast<Eigen::Index>(regression.windows.size());
  Eigen::MatrixXd samples =
      Eigen::MatrixXd::Constant(rows, static_cast<Eigen::Index>(channels.size()), kNoNumber);
  Eigen::VectorXd times(rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const identify::WindowFit& window = regression.windows[static_cast<std::size_t>(k)];
    times(k) =
        window.time + 0.5 * regression.signals.step * static_cast<double>(window.samples - 1);
    samples.row(k).head(9) << window.amplitude, window.ok() ? 1.0 : 0.0,
        window.equivalent_stiffness, window.equivalent_damping, window.x0, window.v0, window.offset,
        window.residual, static_cast<double>(window.iterations);
    for (Eigen::Index i = 0; i < window.parameters.size(); ++i) {
      samples(k, 9 + i) = window.parameters(i);
    }
  }
  io::write_record(file, {signal::TimeAxis::given(std::move(times)), std::move(channels),
                          std::move(samples), result.study.title});
}

}  // namespace

void write_acceleration_result(const AccelerationOutcome& result,
                               const std::filesystem::path& folder) {
  check::at_least("write_acceleration_result", "number of equations", result.study.equation ? 1 : 0,
                  1);
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const identify::RecordFit& record = result.records[e];
    const auto named = [&](const char* stem) {
      return folder / record_file_name(stem, e + 1, result.records.size());
    };
    if (record.motion.ok() && record.fitted.size() > 0) write_motion(result, e, named("motion"));
    if (!record.regression.windows.empty()) write_windows(result, e, named("windows"));
  }
  write_result(describe(result), folder);
}

}  // namespace alembert::study
