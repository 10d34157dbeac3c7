#pragma once

#include <Eigen/Core>
#include <string>
#include <variant>

#include "alembert/signal/excitation.hpp"

/// What drives a model: signals of files, and generated ones.
namespace alembert::study {

/// An input that stays zero.
struct ZeroInput {};

/// An input read from the study's data file, on the simulation's sample times.
struct FileInput {
  std::string column;      ///< its name in the file
  std::string unit;        ///< its unit in the file, "" when the file has none
  double factor = 1.0;     ///< to the model's unit
  Eigen::VectorXd values;  ///< in the model's unit
};

using InputSource = std::variant<ZeroInput, FileInput, signal::SplineNoiseOptions,
                                 signal::MultisineOptions, signal::ChirpOptions,
                                 signal::PrbsOptions, signal::StepsOptions, signal::PulsesOptions>;

/// Where the signal of one model input comes from.
struct InputDescription {
  std::string name;
  std::string unit;
  std::string kind;  ///< as in the study: "multisine", "prbs", ..., "file", "zero"
  InputSource source;
};

}  // namespace alembert::study
