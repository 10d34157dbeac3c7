// The motion of an arm in real time, from an encoder and a camera that is 50 ms late.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/estimate/live_observer.hpp>
#include <array>
#include <cmath>

int main() {
  using namespace alembert;
  model::planar::MechanismDescription arm;
  arm.bodies = {{.name = "arm", .points = {{"O", {0.0, 0.0}}, {"P", {0.5, 0.0}}}}};
  arm.joints = {{.name = "O", .b = "arm.O"}};
  arm.coordinates = {model::planar::parse_coordinate("angle(arm)")};
  arm.sensors = {{.name = "encoder", .of = "arm", .sigma = 0.01},
                 {.name = "camera", .of = "arm", .sigma = 0.003}};
  estimate::LiveOptions options;
  options.output_noise.density = {50.0};  // of the jerk, rad²/s⁵
  options.delays = {0.0, 0.05};           // s
  estimate::LiveObserver live(std::make_shared<model::planar::Mechanism>(arm), options);

  RandomStream random(1);
  const auto angle = [](double t) { return 0.8 * std::sin(2.0 * t); };  // rad
  for (double t = 0.0; t < 4.0; t += 0.01) {
    live.push(t, std::array{angle(t) + 0.01 * random.normal(),
                            angle(t - 0.05) + 0.003 * random.normal()});
    while (live.next()) continue;  // each instant whose readings are there
  }
  fmt::print("t = {:.2f} s: angle {:.3f} ± {:.3f} rad, true {:.3f}; speed {:.2f} rad/s\n",
             live.time(), live.observer().mean()(0), live.observer().deviation(0),
             angle(live.time()), live.observer().mean()(1));
  return live.started() && live.lost() == 0 ? 0 : 1;
}
