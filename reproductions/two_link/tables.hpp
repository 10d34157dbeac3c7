#pragma once

#include <array>
#include <vector>

#include "reproductions/two_link/formula.hpp"
#include "reproductions/two_link/plan.hpp"

/// Tables and figures of `alembert reproduce two-link`.
namespace alembert::reproductions {

/// The rows of one test.
struct TwoLinkParts {
  std::vector<TwoLinkRow> errors, encoders, gravity, lengths;
};
using TwoLinkRows = std::array<TwoLinkParts, 2>;

/// rms errors of differentiated encoders, means over the seeds 1..seeds.
struct DifferentiatorErrors {
  Eigen::Vector4d seven;  ///< 7 points
  Eigen::Vector4d best;   ///< each column with the width that suits it best, chosen with the truth
  Eigen::Vector4d best_points;  ///< those widths, in points
};
[[nodiscard]] DifferentiatorErrors differentiator_errors(const TwoLinkMotion& motion, int seeds);

[[nodiscard]] NumberTable formula_table(const FormulaDifference& difference);
[[nodiscard]] NumberTable error_table(const TwoLinkParts& parts,
                                      const DifferentiatorErrors& differentiator, std::size_t test);
[[nodiscard]] NumberTable consistency_table(const TwoLinkRows& rows);
[[nodiscard]] NumberTable gravity_table(const TwoLinkRows& rows);
[[nodiscard]] NumberTable length_table(const TwoLinkRows& rows);
[[nodiscard]] NumberTable level_table(const TwoLinkLab& lab);

/// Velocity or acceleration of the elbow in a part of a test, the differentiated encoder behind.
[[nodiscard]] Figure elbow_figure(const TwoLinkLab& lab, const TwoLinkRows& rows, std::size_t test,
                                  bool acceleration);

/// Errors of the acceleration of the elbow there.
[[nodiscard]] Figure elbow_error_figure(const TwoLinkLab& lab, const TwoLinkRows& rows,
                                        std::size_t test);

}  // namespace alembert::reproductions
