#include "identify/modes/choice/frf_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace alembert::identify::modes {
namespace {

constexpr std::size_t kLastPoles = 7;

struct FrfTrack {
  std::vector<const FrfPole*> poles;
  std::vector<std::size_t> points;  // of the diagram
  int last_order = 0;
};

double link_distance(const FrfPole& a) {
  const double size = std::abs(a.pole);
  return std::max(0.002 * size, std::min(0.01 * size, 0.5 * std::abs(a.pole.real())));
}

// The nearest track that ended at most one order before the last one.
FrfTrack* nearest_track(std::vector<FrfTrack>& tracks, const FrfPole& pole, int order) {
  FrfTrack* best = nullptr;
  double least = 0.0;
  for (FrfTrack& track : tracks) {
    if (track.last_order >= order || order - track.last_order > 2) continue;
    const FrfPole& last = *track.poles.back();
    const double distance = std::abs(pole.pole - last.pole);
    if (distance >= link_distance(last) || (best != nullptr && distance >= least)) continue;
    best = &track;
    least = distance;
  }
  return best;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Median of real and imaginary part; the participation of the last pole.
FrfPole median_pole(const FrfTrack& track) {
  std::vector<double> real, imaginary;
  const std::size_t count = std::min(kLastPoles, track.poles.size());
  for (std::size_t k = track.poles.size() - count; k < track.poles.size(); ++k) {
    real.push_back(track.poles[k]->pole.real());
    imaginary.push_back(track.poles[k]->pole.imag());
  }
  return {.pole = {median_of(real), median_of(imaginary)},
          .participation = track.poles.back()->participation};
}

}  // namespace

FrfTracks frf_tracks(const std::vector<FrfOrder>& orders, int shortest) {
  FrfTracks found;
  std::vector<FrfTrack> tracks;
  for (const FrfOrder& order : orders) {
    for (const FrfPole& pole : order.poles) {
      FrfTrack* track = nearest_track(tracks, pole, order.order);
      if (track == nullptr) track = &tracks.emplace_back();
      track->poles.push_back(&pole);
      track->points.push_back(found.diagram.size());
      track->last_order = order.order;
      found.diagram.push_back({order.order, pole.frequency_hz(), pole.damping_ratio(), false});
    }
  }
  for (const FrfTrack& track : tracks) {
    if (track.poles.size() < static_cast<std::size_t>(shortest)) continue;
    for (const std::size_t point : track.points) found.diagram[point].stable = true;
    found.candidates.push_back(median_pole(track));
  }
  return found;
}

}  // namespace alembert::identify::modes
