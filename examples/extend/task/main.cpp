// A task of one's own, from a record to a report with a verdict: the strongest line of a spectrum.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/core/verdict.hpp>
#include <alembert/report/page.hpp>
#include <alembert/signal/record.hpp>
#include <alembert/signal/spectrum.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

// 1. The method: data and options in, a plain struct out that knows how it ended.
struct StrongestLineOptions {
  Eigen::Index segment_samples = 1024;
};
struct StrongestLine : alembert::Outcome {
  double frequency_hz = 0.0;
  double resolution_hz = 0.0;
  double above = 0.0;  ///< its density over the median of all
  alembert::signal::Spectrum spectrum;
};

StrongestLine find_strongest_line(const alembert::signal::Record& record,
                                  const std::string& channel,
                                  const StrongestLineOptions& options = {}) {
  StrongestLine found;
  found.spectrum = alembert::signal::power_spectral_density(
      record.values(channel), record.time().step(), {.segment_samples = options.segment_samples});
  Eigen::VectorXd values = found.spectrum.values.col(0);
  Eigen::Index at = 0;
  const double most = values.maxCoeff(&at);
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  found.frequency_hz = found.spectrum.frequencies_hz(at);
  found.resolution_hz = found.spectrum.averaging.front().resolution_hz;
  found.above = most / values(values.size() / 2);
  return found;
}

// 2. The verdict: evidence with reasons and advice, one for terminal, report and exit code.
alembert::Verdict judge(const StrongestLine& found) {
  alembert::Evidence evidence;
  evidence.add(found);
  if (found.above < 20.0) {
    evidence.add(alembert::TrustLevel::Bad, "no line stands out of the spectrum",
                 "measure longer, or nearer to the source");
  }
  return evidence.verdict();
}

// 3. The report: a document without any markup.
alembert::document::Document report(const StrongestLine& found) {
  alembert::document::Document document{.title = "Strongest line", .verdict = judge(found)};
  document.facts = {{"frequency", fmt::format("{:.3f} Hz", found.frequency_hz)},
                    {"resolution", fmt::format("{:.3f} Hz", found.resolution_hz)}};
  document.sections = {
      {"Spectrum",
       {alembert::document::Plot{.id = "spectrum",
                                 .title = "Power spectral density",
                                 .x_label = "frequency [Hz]",
                                 .y_label = "density [(m/s²)²/Hz]",
                                 .log_y = true,
                                 .curves = {{.name = "measured",
                                             .x = found.spectrum.frequencies_hz,
                                             .y = found.spectrum.values.col(0)}},
                                 .markers = {{found.frequency_hz, "strongest"}}}}}};
  return document;
}

int main() {
  // The record: here a hum of 24.5 Hz in noise, else io::read_record("measured.csv").
  alembert::RandomStream random(1);
  Eigen::MatrixXd samples(8192, 1);
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    const double t = 0.005 * static_cast<double>(k);
    samples(k, 0) = 0.5 * std::sin(2.0 * std::numbers::pi * 24.5 * t) + random.normal();
  }
  const alembert::signal::Record record(alembert::signal::TimeAxis::uniform(8192, 0.005),
                                        {{"a", "m/s^2"}}, samples);
  const StrongestLine found = find_strongest_line(record, "a");
  const alembert::Verdict verdict = judge(found);
  const std::string page = alembert::report::render_html(report(found));
  fmt::print("{:.3f} Hz, {:.0f} times the median: {}; a page of {} kB\n", found.frequency_hz,
             found.above, name_of(verdict.level), page.size() / 1000);

  // Noise alone has no line: the verdict must say so.
  const alembert::signal::Record noise(record.time(), record.channels(),
                                       random.normal_vector(8192));
  const bool told = judge(find_strongest_line(noise, "a")).level == alembert::TrustLevel::Bad;
  const bool right = std::abs(found.frequency_hz - 24.5) < found.resolution_hz;
  return right && told && verdict.level == alembert::TrustLevel::Good ? 0 : 1;
}
