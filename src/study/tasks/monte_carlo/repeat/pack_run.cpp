#include "study/tasks/monte_carlo/repeat/pack_run.hpp"

#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr char kEnd = '\n';  // of a name, of a unit

[[noreturn]] void refuse_row() {
  throw InvalidInput({.function = "unpacked_repeat", .rule = "row is not a run"});
}

/// Numbers and texts one after the other.
class RowWriter {
 public:
  void number(double value) { numbers_.push_back(value); }
  void count(std::size_t value) { number(static_cast<double>(value)); }
  void text(const std::string& value) {
    for (const char c : value) number(static_cast<double>(static_cast<unsigned char>(c)));
  }
  [[nodiscard]] Eigen::RowVectorXd row() const {
    return Eigen::Map<const Eigen::RowVectorXd>(numbers_.data(),
                                                static_cast<Index>(numbers_.size()));
  }

 private:
  std::vector<double> numbers_;
};

/// The same read again; a row that ends too early or holds something else is refused.
class RowReader {
 public:
  explicit RowReader(const Eigen::Ref<const Eigen::RowVectorXd>& row) : row_(row) {}

  double number() {
    if (at_ >= row_.size()) refuse_row();
    return row_(at_++);
  }
  std::size_t count(double most) {
    const double value = number();
    if (!(value >= 0.0 && value <= most) || value != std::floor(value)) refuse_row();
    return static_cast<std::size_t>(value);
  }
  // No more items than numbers are left.
  std::size_t items() { return count(static_cast<double>(row_.size() - at_)); }
  char letter() { return static_cast<char>(static_cast<unsigned char>(count(255.0))); }
  std::string word() {
    std::string text;
    for (char c = letter(); c != kEnd; c = letter()) text += c;
    return text;
  }
  std::string rest() {
    std::string text;
    while (at_ < row_.size()) text += letter();
    return text;
  }

 private:
  const Eigen::Ref<const Eigen::RowVectorXd>& row_;
  Index at_ = 0;
};

void write_words(const std::string& name, const std::string& unit, RowWriter& row) {
  row.text(name + kEnd + unit + kEnd);
}

}  // namespace

Eigen::RowVectorXd packed_repeat(const RepeatRun& run) {
  RowWriter row;
  row.number(static_cast<double>(run.status));
  row.number(static_cast<double>(run.trust));
  row.count(run.estimates.size());
  row.count(run.states.size());
  row.count(run.nees ? 1 : 0);
  for (const RunEstimate& one : run.estimates) {
    for (const double value : {one.value, one.deviation, one.margin, one.truth}) row.number(value);
    write_words(one.name, one.unit, row);
  }
  for (const RunState& one : run.states) {
    for (const double value :
         {one.bias, one.rms, one.reported, one.covered, one.nees, one.effective}) {
      row.number(value);
    }
    write_words(one.name, one.unit, row);
  }
  if (run.nees) {
    for (const double value : {run.nees->mean, run.nees->expected, run.nees->effective}) {
      row.number(value);
    }
  }
  row.text(run.message);
  return row.row();
}

RepeatRun unpacked_repeat(const Eigen::Ref<const Eigen::RowVectorXd>& row) {
  RowReader reader(row);
  RepeatRun run;
  run.status = static_cast<Status>(reader.count(static_cast<double>(Status::Stopped)));
  run.trust = static_cast<TrustLevel>(reader.count(static_cast<double>(TrustLevel::Bad)));
  run.estimates.resize(reader.items());
  run.states.resize(reader.items());
  const bool nees = reader.count(1.0) == 1;
  for (RunEstimate& one : run.estimates) {
    for (double* value : {&one.value, &one.deviation, &one.margin, &one.truth}) {
      *value = reader.number();
    }
    one.name = reader.word();
    one.unit = reader.word();
  }
  for (RunState& one : run.states) {
    for (double* value :
         {&one.bias, &one.rms, &one.reported, &one.covered, &one.nees, &one.effective}) {
      *value = reader.number();
    }
    one.name = reader.word();
    one.unit = reader.word();
  }
  if (nees) {
    const double mean = reader.number();
    const double expected = reader.number();
    run.nees = RunNees{mean, expected, reader.number()};
  }
  run.message = reader.rest();
  return run;
}

}  // namespace alembert::study
