#include "reduce/bases/dynamic_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "reduce/factor/shifted.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

/// The vectors of one response, orthonormal in M, by level.
class ResponseKrylov {
 public:
  ResponseKrylov(const model::Structure& structure, const ForcedResponse& response)
      : structure_(&structure) {
    levels_.emplace_back();
    append(response.response.real());
    append(response.response.imag());
  }

  void add_derivatives(const model::Structure& structure, double frequency_hz, int derivatives) {
    const double omega = 2.0 * std::numbers::pi * frequency_hz;
    ShiftedStructure shifted(structure.K, structure.M);
    if (!shifted.factor(omega * omega)) return;
    for (int d = 0; d < derivatives; ++d) {
      const std::vector<Eigen::Index> last = levels_.back();
      levels_.emplace_back();
      for (const Eigen::Index c : last) {
        append(shifted.solve(mass_columns_[static_cast<std::size_t>(c)]));
      }
    }
  }

  [[nodiscard]] std::vector<Eigen::VectorXd> level(std::size_t d) const {
    std::vector<Eigen::VectorXd> found;
    if (d >= levels_.size()) return found;
    for (const Eigen::Index c : levels_[d]) found.push_back(columns_[static_cast<std::size_t>(c)]);
    return found;
  }

 private:
  // Gram and Schmidt, twice; what depends on the others is left out.
  void append(Eigen::VectorXd v) {
    constexpr double kDependent = 1e-10;
    const double before = mass_norm(v);
    if (!(before > 0.0)) return;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < columns_.size(); ++i) v -= mass_columns_[i].dot(v) * columns_[i];
    }
    const double left = mass_norm(v);
    if (!(left > kDependent * before)) return;
    levels_.back().push_back(static_cast<Eigen::Index>(columns_.size()));
    columns_.emplace_back(v / left);
    mass_columns_.emplace_back(sparse_times(structure_->M, columns_.back()));
  }

  [[nodiscard]] double mass_norm(const Eigen::VectorXd& v) const {
    return std::sqrt(std::max(0.0, v.dot(sparse_times(structure_->M, v).col(0))));
  }

  const model::Structure* structure_;
  std::vector<Eigen::VectorXd> columns_, mass_columns_;
  std::vector<std::vector<Eigen::Index>> levels_;
};

}  // namespace

LevelledVectors response_levels(const model::Structure& structure,
                                const std::vector<ForcedResponse>& responses, int derivatives) {
  std::vector<ResponseKrylov> all;
  for (const ForcedResponse& one : responses) {
    all.emplace_back(structure, one);
    all.back().add_derivatives(structure, one.frequency_hz, derivatives);
  }
  std::vector<Eigen::VectorXd> columns;
  LevelledVectors made;
  for (int d = 0; d <= derivatives; ++d) {
    const std::size_t before = columns.size();
    for (const ResponseKrylov& one : all) {
      for (Eigen::VectorXd& column : one.level(static_cast<std::size_t>(d))) {
        columns.push_back(std::move(column));
      }
    }
    if (columns.size() > before) made.ends.push_back(static_cast<Eigen::Index>(columns.size()));
  }
  made.vectors.resize(structure.size(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    made.vectors.col(static_cast<Eigen::Index>(i)) = columns[i];
  }
  return made;
}

}  // namespace alembert::reduce
