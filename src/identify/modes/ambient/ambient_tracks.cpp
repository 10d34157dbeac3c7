#include "identify/modes/ambient/ambient_tracks.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/model/modes.hpp"

namespace alembert::identify::modes {
namespace {

constexpr double kAlmostAllOrders = 0.8;

struct AmbientTrack {
  std::vector<const AmbientPole*> poles;
  std::size_t damped = 0;           // poles whose damping is known well enough
  std::vector<std::size_t> points;  // of the diagram
  std::size_t first_model = 0;      // which of the orders the track begins with
  int last_order = 0;
};

bool has_frequency(const AmbientPole& pole, const AmbientOptions& options) {
  return pole.frequency_deviation < options.largest_frequency_share * pole.frequency_hz;
}

bool has_damping(const AmbientPole& pole, const AmbientOptions& options) {
  return pole.damping_deviation < options.largest_damping_share * pole.damping_ratio;
}

// Seen with a damping in enough orders, or without one in enough and almost all since the first.
bool is_mode_track(const AmbientTrack& track, const AmbientOptions& options, std::size_t orders) {
  const double enough = options.least_orders * static_cast<double>(orders);
  if (static_cast<double>(track.damped) >= enough) return true;
  const auto since = static_cast<double>(orders - track.first_model);
  const auto seen = static_cast<double>(track.poles.size());
  return seen >= enough && seen >= kAlmostAllOrders * since;
}

bool belongs(const AmbientPole& pole, const AmbientPole& last) {
  const double distance = std::abs(pole.frequency_hz - last.frequency_hz) / last.frequency_hz;
  if (distance >= std::max(0.002, std::min(0.01, 2.0 * last.damping_ratio))) return false;
  const double ratio = pole.damping_ratio / last.damping_ratio;
  return ratio > 0.5 && ratio < 1.5 && model::mac(pole.shape, last.shape) > 0.8;
}

AmbientTrack* track_of(std::vector<AmbientTrack>& tracks, const AmbientPole& pole, int order) {
  AmbientTrack* best = nullptr;
  double least = 0.0;
  for (AmbientTrack& track : tracks) {
    const AmbientPole& last = *track.poles.back();
    if (track.last_order >= order || !belongs(pole, last)) continue;
    const double distance = std::abs(pole.pole - last.pole);
    if (best != nullptr && distance >= least) continue;
    best = &track;
    least = distance;
  }
  return best;
}

// Of the poles whose damping is known, if they are enough.
AmbientPole median_damping(const AmbientTrack& track, const AmbientOptions& options,
                           std::size_t orders) {
  std::vector<const AmbientPole*> sorted = track.poles;
  if (static_cast<double>(track.damped) >= options.least_orders * static_cast<double>(orders)) {
    std::erase_if(sorted, [&](const AmbientPole* one) { return !has_damping(*one, options); });
  }
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end(),
                   [](const AmbientPole* a, const AmbientPole* b) {
                     return a->damping_ratio < b->damping_ratio;
                   });
  return **middle;
}

bool are_one(const AmbientPole& a, const AmbientPole& b) {
  const double distance = std::abs(a.frequency_hz - b.frequency_hz) / a.frequency_hz;
  return distance < std::max(a.damping_ratio, 0.001) && model::mac(a.shape, b.shape) > 0.95;
}

}  // namespace

AmbientTracks ambient_tracks(const std::vector<AmbientOrder>& orders,
                             const AmbientOptions& options) {
  AmbientTracks found;
  std::vector<AmbientTrack> tracks;
  for (std::size_t model = 0; model < orders.size(); ++model) {
    const AmbientOrder& order = orders[model];
    for (const AmbientPole& pole : order.poles) {
      found.diagram.push_back({order.order, pole.frequency_hz, pole.damping_ratio, false});
      if (!has_frequency(pole, options)) continue;
      AmbientTrack* track = track_of(tracks, pole, order.order);
      if (track == nullptr) {
        track = &tracks.emplace_back();
        track->first_model = model;
      }
      track->poles.push_back(&pole);
      track->damped += has_damping(pole, options) ? 1 : 0;
      track->points.push_back(found.diagram.size() - 1);
      track->last_order = order.order;
    }
  }
  // Longer tracks first, so that of two that are one the better known stays.
  std::stable_sort(tracks.begin(), tracks.end(), [](const AmbientTrack& a, const AmbientTrack& b) {
    return a.poles.size() > b.poles.size();
  });
  for (const AmbientTrack& track : tracks) {
    if (!is_mode_track(track, options, orders.size())) continue;
    for (const std::size_t point : track.points) found.diagram[point].stable = true;
    const AmbientPole pole = median_damping(track, options, orders.size());
    const bool known = std::any_of(found.chosen.begin(), found.chosen.end(),
                                   [&](const AmbientPole& one) { return are_one(one, pole); });
    if (!known) found.chosen.push_back(pole);
  }
  return found;
}

}  // namespace alembert::identify::modes
