#include <fmt/format.h>

#include <cmath>

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {
namespace {

std::string parameter_line(const EquationFit& fit, std::size_t index) {
  const ParameterVerdict verdict = parameter_verdict(fit, index);
  std::string line = fmt::format("  {:<12} {:>12.6g}", fit.parameters[index].name, verdict.value);
  if (std::isfinite(verdict.margin) && verdict.margin > 0.0) {
    line += fmt::format(" +- {:<9.2g} (95 %)", verdict.margin);
  }
  if (verdict.role != ParameterVerdict::Role::Free) {
    line += fmt::format(" {}", name_of(verdict.role));
  }
  return line + "\n";
}

std::string output_lines(const std::vector<std::string>& names,
                         const std::vector<ResidualVerdict>& outputs, const char* what) {
  std::string text;
  for (std::size_t i = 0; i < outputs.size() && i < names.size(); ++i) {
    text += fmt::format("  {:<12} rms {:.4g}, fit {} %{}\n", names[i], outputs[i].rms,
                        fit_words(outputs[i].fit), what);
  }
  return text;
}

std::string profile_lines(const std::vector<ParameterProfile>& profiles) {
  std::string text;
  for (const ParameterProfile& one : profiles) {
    const auto end = [](double value, bool open) {
      return open ? std::string("open") : fmt::format("{:.6g}", value);
    };
    text += fmt::format("  {:<12} {} .. {} (95 %, profile)\n", one.name,
                        end(one.interval.lower, one.interval.lower_open),
                        end(one.interval.upper, one.interval.upper_open));
  }
  return text;
}

}  // namespace

std::string EquationFit::summary() const {
  std::string text = ok() ? fmt::format("converged after {} evaluations\n", estimate.evaluations)
                          : fmt::format("{}: {}\n", to_string(status), message);
  for (Eigen::Index i = 0; i < estimate.parameters.size(); ++i) {
    text += parameter_line(*this, static_cast<std::size_t>(i));
  }
  text += profile_lines(profiles);
  text += output_lines(output_names, estimate.outputs, "");
  if (validation) text += output_lines(output_names, validation->outputs, " on held-back data");
  for (const std::string& warning : warnings) text += fmt::format("  warning: {}\n", warning);
  for (const std::string& remark : remarks) text += fmt::format("  note: {}\n", remark);
  return text;
}

}  // namespace alembert::identify
