#include <cmath>

#include "alembert/estimate/start_from_readings.hpp"

namespace alembert::estimate {
namespace {

// A derivative of the coordinates at the start, and what is given of it.
struct StartPart {
  int derivative;
  bool value_given, sigma_given;
  double usual_sigma;           // of what no reading tells
  Eigen::VectorXd& value;       // empty or the given one
  std::vector<double>& sigmas;  // standard deviations
};

// A position that was read before the start has moved on since, nobody knows how fast.
double start_deviation(const CoordinateStart& one, int derivative, double velocity_sigma) {
  // The choice of the readings is not in their standard deviations.
  constexpr double kSafety = 3.0;
  const double read = kSafety * one.deviation(derivative);
  const bool moved_on = derivative == 0 && std::isinf(one.deviation(1));
  return moved_on ? std::hypot(read, one.age * velocity_sigma) : read;
}

void take_over(const RecordStart& found, double velocity_sigma, const StartPart& part) {
  const auto n = static_cast<Eigen::Index>(found.coordinates.size());
  if (!part.value_given) part.value = Eigen::VectorXd::Zero(n);
  if (!part.value_given && !part.sigma_given) part.sigmas.clear();
  for (Eigen::Index i = 0; i < n; ++i) {
    const CoordinateStart& one = found.coordinates[static_cast<std::size_t>(i)];
    const bool known = one.known && std::isfinite(one.deviation(part.derivative));
    if (!part.value_given && known) part.value(i) = one.value(part.derivative);
    if (part.value_given || part.sigma_given) continue;
    part.sigmas.push_back(known ? start_deviation(one, part.derivative, velocity_sigma)
                                : part.usual_sigma);
  }
}

}  // namespace

void take_start(const RecordStart& found, const GivenStart& given, ObserverStart& start) {
  take_over(found, start.sigma_zd,
            {0, given.coordinates, given.coordinate_sigma, start.sigma_z, start.z, start.sigmas_z});
  take_over(found, start.sigma_zd,
            {1, given.velocities, given.velocity_sigma, start.sigma_zd, start.zd, start.sigmas_zd});
  take_over(found, start.sigma_zd,
            {2, given.accelerations, given.acceleration_sigma, start.sigma_zdd, start.zdd,
             start.sigmas_zdd});
}

}  // namespace alembert::estimate
