#pragma once

#include <optional>
#include <string>

#include "alembert/signal/record.hpp"
#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// A study of [identify] that needs no model: records of forces and responses.
struct RecordStudy {
  std::string title, method;
  const TableSpec* root = nullptr;  ///< its keys
  bool needs_forces = false;
  double held_back = 0.0;  ///< share of the record that tests the model
};

/// The commented study; with data, for its columns. @throws DataError if they do not suit.
[[nodiscard]] std::string record_study(const RecordStudy& study,
                                       const std::optional<TemplateData>& data);

/// A small simulated record to run it on: a chain of three masses under a random force.
[[nodiscard]] signal::Record three_mass_record();

}  // namespace alembert::study
