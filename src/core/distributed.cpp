#include "alembert/core/distributed.hpp"

#include <cstdlib>
#include <utility>

namespace alembert {

namespace {

using Result = std::optional<Eigen::MatrixXd>;

// The runs of one rank: rank, rank + size, rank + 2 size, ...
std::vector<Result> own_runs(const Machines& machines, std::size_t count,
                             const std::function<Eigen::MatrixXd(std::size_t)>& run,
                             const ParallelOptions& options) {
  const auto rank = static_cast<std::size_t>(machines.rank());
  const auto size = static_cast<std::size_t>(machines.size());
  std::vector<Result> results(count > rank ? (count - rank + size - 1) / size : 0);
  parallel_for(
      results.size(), [&](std::size_t i) { results[i] = run(rank + i * size); }, options);
  return results;
}

}  // namespace

void Machines::abort(int exit_code) const { std::_Exit(exit_code); }

void Machines::send_to_first(const Result& /*result*/) const {}

Result Machines::receive_from(int /*rank*/) const { return std::nullopt; }

std::vector<Result> distributed_map(const Machines& machines, std::size_t count,
                                    const std::function<Eigen::MatrixXd(std::size_t)>& run,
                                    const ParallelOptions& options) {
  std::vector<Result> own = own_runs(machines, count, run, options);
  if (machines.size() == 1) {
    return own;
  }
  if (!machines.is_first()) {
    for (const Result& result : own) {
      machines.send_to_first(result);
    }
    return {};
  }
  std::vector<Result> all(count);
  const auto size = static_cast<std::size_t>(machines.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t source = i % size;
    all[i] =
        source == 0 ? std::move(own[i / size]) : machines.receive_from(static_cast<int>(source));
  }
  return all;
}

}  // namespace alembert
