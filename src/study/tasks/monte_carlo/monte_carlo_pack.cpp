#include <cmath>

#include "alembert/core/error.hpp"
#include "study/tasks/monte_carlo/monte_carlo_run.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kHead = 3;  // status, modes, iterations
constexpr auto kErrorNumbers = static_cast<Eigen::Index>(5 * kComparedCount);

// A whole number from 0 to `most` at a place of a row.
Eigen::Index whole_number(double value, Eigen::Index most) {
  if (!(value >= 0.0 && value <= static_cast<double>(most)) || value != std::floor(value)) {
    throw InvalidInput({.function = "unpacked_run", .rule = "row is not a run"});
  }
  return static_cast<Eigen::Index>(value);
}

}  // namespace

Eigen::RowVectorXd packed_run(const MonteCarloRun& run) {
  const Eigen::Index modes = run.frequency.size();
  const auto letters = static_cast<Eigen::Index>(run.message.size());
  Eigen::RowVectorXd row(kHead + kErrorNumbers + 4 * modes + letters);
  row.head(kHead) << static_cast<double>(run.status), static_cast<double>(modes),
      static_cast<double>(run.iterations);
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const RunError& error = run.errors[q];
    row.segment(kHead + 5 * static_cast<Eigen::Index>(q), 5) << error.error, error.reported,
        error.counted, error.covered, error.squares;
  }
  if (modes > 0) {
    row.segment(kHead + kErrorNumbers, 4 * modes) << run.frequency.transpose(),
        run.frequency_deviation.transpose(), run.damping.transpose(),
        run.damping_deviation.transpose();
  }
  for (Eigen::Index i = 0; i < letters; ++i) {
    row(kHead + kErrorNumbers + 4 * modes + i) =
        static_cast<double>(static_cast<unsigned char>(run.message[static_cast<std::size_t>(i)]));
  }
  return row;
}

MonteCarloRun unpacked_run(const Eigen::Ref<const Eigen::RowVectorXd>& row) {
  if (row.size() < kHead + kErrorNumbers) {
    throw InvalidInput({.function = "unpacked_run", .rule = "row is too short"});
  }
  const Eigen::Index modes = whole_number(row(1), (row.size() - kHead - kErrorNumbers) / 4);
  MonteCarloRun run;
  run.status =
      static_cast<Status>(whole_number(row(0), static_cast<Eigen::Index>(Status::Stopped)));
  run.iterations = static_cast<int>(whole_number(row(2), 1'000'000));
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const Eigen::Index at = kHead + 5 * static_cast<Eigen::Index>(q);
    run.errors[q] = {row(at), row(at + 1), row(at + 2), row(at + 3), row(at + 4)};
  }
  const Eigen::Index first = kHead + kErrorNumbers;
  run.frequency = row.segment(first, modes).transpose();
  run.frequency_deviation = row.segment(first + modes, modes).transpose();
  run.damping = row.segment(first + 2 * modes, modes).transpose();
  run.damping_deviation = row.segment(first + 3 * modes, modes).transpose();
  for (Eigen::Index i = first + 4 * modes; i < row.size(); ++i) {
    run.message += static_cast<char>(static_cast<unsigned char>(whole_number(row(i), 255)));
  }
  return run;
}

}  // namespace alembert::study
