#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

/// Records of responses alone, made ready for the methods that take them.
namespace alembert::identify::modes {

/// Records on a coarser grid.
struct ResponseRecords {
  std::vector<Eigen::MatrixXd> records;
  double step = 0.0;
  Eigen::Index decimation = 1;
};

/// Checks columns and numbers. @throws InvalidInput in the name of `function`.
void check_responses(const char* function, const std::vector<Eigen::MatrixXd>& records);

/// The records with the largest whole number of steps as their step for which `to_hz` stays within
/// 0.8 of half the sampling rate; as they are without `to_hz`.
[[nodiscard]] ResponseRecords decimated_responses(const std::vector<Eigen::MatrixXd>& records,
                                                  double step, std::optional<double> to_hz);

/// Takes the mean of each channel off each record and makes the rms over all records 1; returns
/// the rms. @throws InvalidInput in the name of `function` if a channel is constant.
Eigen::VectorXd standardise(const char* function, std::vector<Eigen::MatrixXd>& records);

}  // namespace alembert::identify::modes
