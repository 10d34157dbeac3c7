#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

std::string outlier_words(const EquationFit& fit, const Experiments& data) {
  const std::vector<Outlier>& outliers = fit.estimate.outliers;
  if (outliers.empty()) return "";
  std::vector<std::size_t> counts(fit.output_names.size(), 0);
  for (const Outlier& one : outliers) ++counts.at(one.output);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) parts.push_back(fmt::format("{} of {}", counts[i], fit.output_names[i]));
  }
  const Outlier& far = outliers.front();
  const Experiment& where = data.at(far.experiment);
  const double time = where.start_time + static_cast<double>(far.sample) * where.step;
  return fmt::format("{} outlier{}: {}; the farthest is {} = {:.4g} at {:.6g} s{}", outliers.size(),
                     outliers.size() == 1 ? "" : "s", join(parts, ", "),
                     fit.output_names[far.output], far.value, time,
                     data.size() > 1 ? fmt::format(" of experiment {}", far.experiment + 1) : "");
}

}  // namespace alembert::identify
