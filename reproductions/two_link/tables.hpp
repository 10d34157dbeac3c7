#pragma once

#include <array>
#include <vector>

#include "reproductions/two_link/formula.hpp"
#include "reproductions/two_link/plan.hpp"

/// Tables and figures of `alembert reproduce two-link`.
namespace alembert::reproductions::two_link {

/// The rows of one test.
struct Parts {
  std::vector<Row> errors, encoders, gravity, lengths;
};
using Rows = std::array<Parts, 2>;

/// rms errors of differentiated encoders, means over the seeds 1..seeds.
struct DifferentiatorErrors {
  Eigen::Vector4d seven;  ///< 7 points
  Eigen::Vector4d best;   ///< each column with the width that suits it best, chosen with the truth
  Eigen::Vector4d best_points;  ///< those widths, in points
};
[[nodiscard]] DifferentiatorErrors differentiator_errors(const Motion& motion, int seeds);

[[nodiscard]] Table formula_table(const FormulaDifference& difference);
[[nodiscard]] Table error_table(const Parts& parts, const DifferentiatorErrors& differentiator,
                                std::size_t test);
[[nodiscard]] Table consistency_table(const Rows& rows);
[[nodiscard]] Table gravity_table(const Rows& rows);
[[nodiscard]] Table length_table(const Rows& rows);
[[nodiscard]] Table level_table(const Lab& lab);

/// Velocity or acceleration of the elbow in a part of a test, the differentiated encoder behind.
[[nodiscard]] Plot elbow_figure(const Lab& lab, const Rows& rows, std::size_t test,
                                bool acceleration);

/// Errors of the acceleration of the elbow there.
[[nodiscard]] Plot elbow_error_figure(const Lab& lab, const Rows& rows, std::size_t test);

}  // namespace alembert::reproductions::two_link
