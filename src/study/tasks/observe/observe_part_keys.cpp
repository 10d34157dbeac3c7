#include "study/tasks/observe/observe_part_keys.hpp"

#include "alembert/study/detail/toml.hpp"

namespace alembert::study {
namespace {

using estimate::GateOptions;
using estimate::InputFormNoise;
using estimate::ObserveOptions;
using estimate::ObserverAdaptOptions;
using estimate::ObserverStart;
using estimate::OutputFormNoise;
using estimate::OutputFormOptions;
using estimate::SwitchOptions;
using estimate::Workspace;

constexpr const char* kAnyUnit = "rad, m, s";

// A standard deviation that stands only where the first readings do not give one.
void add_spread_key(ObserveKeys& keys, const std::string& name, double ObserverStart::*field,
                    const std::string& help) {
  const double otherwise = keys.defaults().start.*field;
  keys.key(
      name, field_of(&ObserveOptions::start, field),
      {.help = help,
       .unit = kAnyUnit,
       .range = above(0.0),
       .fallback_note = "from the first readings, else " + to_toml(Value{otherwise, Position{}})});
}

KeyAbout about_walk(const std::string& unit) {
  return {
      .help = "density of their random walk; 0: constant", .unit = unit, .range = at_least(0.0)};
}

KeyAbout about_sigma_beforehand(const std::string& whose, const std::string& unit) {
  return {.help = "standard deviation of the " + whose + " beforehand, of all or each",
          .unit = unit,
          .range = above(0.0),
          .forms = kNumber | kNumbers,
          .required = true};
}

ObserveKeys made_start_keys() {
  const auto start = &ObserveOptions::start;
  ObserveKeys keys;
  keys.key("coordinates", field_of(start, &ObserverStart::z),
           {.help = "positions; the mechanism is assembled there",
            .unit = "rad or m",
            .fallback_note = "first readings of sensors that read the coordinates themselves"})
      .key("velocities", field_of(start, &ObserverStart::zd),
           {.help = "velocities",
            .unit = "rad/s or m/s",
            .fallback_note = "from the first readings, else 0"})
      .key("accelerations", field_of(start, &ObserverStart::zdd),
           {.help = "accelerations",
            .unit = "rad/s^2 or m/s^2",
            .fallback_note = "from the first readings, else 0"});
  add_spread_key(keys, "coordinate-sigma", &ObserverStart::sigma_z,
                 "standard deviation of the positions");
  add_spread_key(keys, "velocity-sigma", &ObserverStart::sigma_zd, "of the velocities");
  add_spread_key(keys, "acceleration-sigma", &ObserverStart::sigma_zdd, "of the accelerations");
  keys.key("jerk-sigma", field_of(start, &ObserverStart::sigma_zddd),
           {.help = "of the jerks, which are zero (white-snap)",
            .unit = kAnyUnit,
            .range = above(0.0)})
      .used_when(
          [](const ObserveOptions& options) {
            return options.output.motion == estimate::MotionModel::WhiteSnap;
          },
          "has no place without motion = \"white-snap\"");
  return keys;
}

}  // namespace

const ObserveKeys& observe_start_keys() {
  static const ObserveKeys keys = made_start_keys();
  return keys;
}

const ObserveKeys& observe_length_keys() {
  static const ObserveKeys keys =
      ObserveKeys()
          .key("sigma", field_of(&ObserveOptions::start, &ObserverStart::sigma_parameters),
               about_sigma_beforehand("errors", "m"))
          .key("walk", field_of(&ObserveOptions::output_noise, &OutputFormNoise::parameter_density),
               about_walk("m^2/s"));
  return keys;
}

const ObserveKeys& observe_bias_keys() {
  static const ObserveKeys keys =
      ObserveKeys()
          .other({.name = "sensors", .forms = kTexts, .help = "which sensors", .required = true})
          .key("sigma", field_of(&ObserveOptions::start, &ObserverStart::sigma_biases),
               about_sigma_beforehand("biases", kAnyUnit))
          .key("walk", field_of(&ObserveOptions::output_noise, &OutputFormNoise::bias_density),
               about_walk("square of that a second"));
  return keys;
}

const ObserveKeys& observe_force_keys() {
  static const auto has_model = [](estimate::ForceModel model) {
    return [model](const ObserveOptions& options) { return options.output.force_model == model; };
  };
  static const ObserveKeys keys =
      ObserveKeys()
          .key("model", field_of(&ObserveOptions::output, &OutputFormOptions::force_model),
               {.help = "random-walk, integrated-random-walk for smooth forces, low-pass, or "
                        "constant for a payload"})
          .key("density", field_of(&ObserveOptions::output_noise, &OutputFormNoise::force_density),
               {.help = "of the noise that moves them, for all or each: about square of a change "
                        "over the time in which it comes; with observe.density",
                .unit = "N^2/s or N^2/s^3",
                .range = above(0.0),
                .forms = kNumber | kNumbers,
                .fallback_note = "what fits the readings best"})
          .key("cutoff", field_of(&ObserveOptions::output, &OutputFormOptions::force_cutoff_hz),
               {.help = "of the low pass", .unit = "Hz", .range = above(0.0)})
          .used_when(has_model(estimate::ForceModel::LowPass),
                     "has no place without model = \"low-pass\"")
          .key("sigma", field_of(&ObserveOptions::start, &ObserverStart::sigma_force),
               {.help = "standard deviation beforehand; they are zero at first",
                .unit = "N, N m",
                .range = above(0.0)})
          .key("rate-sigma", field_of(&ObserveOptions::start, &ObserverStart::sigma_force_rate),
               {.help = "of their rates", .unit = "N/s", .range = above(0.0)})
          .used_when(has_model(estimate::ForceModel::IntegratedRandomWalk),
                     "has no place without model = \"integrated-random-walk\"");
  return keys;
}

const ObserveKeys& observe_stage_keys() {
  using estimate::ForceDirection;
  using estimate::ObserverForm;
  using estimate::TwoStageOptions;
  static const ObserveKeys keys =
      ObserveKeys()
          .choice("motion", field_of(&ObserveOptions::stages, &TwoStageOptions::motion),
                  std::vector<EnumName<ObserverForm>>{{ObserverForm::Output, "output"},
                                                      {ObserverForm::Input, "input"}},
                  {.help = "form of the first stage; input is the published one"})
          .key("direction", field_of(&ObserveOptions::stages, &TwoStageOptions::direction),
               {.help = "f12: measured forces from the unknown ones; f21: the other way round; "
                        "automatic: the better conditioned along the motion"})
          .key("variance", field_of(&ObserveOptions::stages, &TwoStageOptions::relation_variance),
               {.help = "that a step adds to the forces of the balance, for errors of the masses",
                .unit = "N^2, N^2 m^2",
                .range = at_least(0.0)})
          .key("from-motion", field_of(&ObserveOptions::stages, &TwoStageOptions::from_motion),
               {.help = "add what the deviations of the first stage do to the balance"});
  return keys;
}

const ObserveKeys& observe_switch_keys() {
  static const ObserveKeys keys =
      ObserveKeys()
          .key("threshold", field_of(&ObserveOptions::switching, &SwitchOptions::threshold),
               {.help = "of det S'S, S = derivative of the input sensors by the coordinates",
                .range = above(0.0),
                .required = true})
          .key("release", field_of(&ObserveOptions::switching, &SwitchOptions::release_ratio),
               {.help = "it ends above release x threshold", .range = at_least(1.0)})
          .key("look-ahead", field_of(&ObserveOptions::switching, &SwitchOptions::look_ahead),
               {.help = "it begins so long before the threshold is reached",
                .unit = "s",
                .range = at_least(0.0)})
          .key("noise", field_of(&ObserveOptions::input_noise, &InputFormNoise::random_walk),
               {.help = "variance that a step of the walk adds to positions, velocities, "
                        "accelerations",
                .range = at_least(0.0),
                .size = 3,
                .fallback_note = "[1e-12, 1e-4, 1.0]"});
  return keys;
}

const ObserveKeys& observe_gate_keys() {
  static const ObserveKeys keys =
      ObserveKeys()
          .key("probability", field_of(&ObserveOptions::gate, &GateOptions::probability),
               {.help = "that a good reading passes", .range = within(0.5, 1.0), .required = true})
          .key("each-sensor", field_of(&ObserveOptions::gate, &GateOptions::each_output),
               {.help = "judge each sensor alone, not all of a sample together"});
  return keys;
}

const ObserveKeys& observe_adapt_keys() {
  static const ObserveKeys keys =
      ObserveKeys()
          .key("window", field_of(&ObserveOptions::adapt, &ObserverAdaptOptions::window),
               {.help = "samples that are averaged", .range = within(2.0, 1e6), .required = true})
          .key("density", field_of(&ObserveOptions::adapt, &ObserverAdaptOptions::process),
               {.help = "one factor of the densities of the motion (form = \"output\")",
                .fallback_note = "true in the output form without sensors"})
          .used_when(
              [](const ObserveOptions& options) {
                return options.form == estimate::ObserverForm::Output;
              },
              "is for form = \"output\"")
          .key(
              "sensors", field_of(&ObserveOptions::adapt, &ObserverAdaptOptions::outputs),
              {.help = "sigma of each sensor that corrects the estimate, in place of the density"});
  return keys;
}

const BoundKeys<estimate::WatchedSignal>& observe_watch_keys() {
  using estimate::WatchedSignal;
  static const auto of_state = [](const WatchedSignal& signal) { return signal.sensor < 0; };
  static const auto of_sensor = [](const WatchedSignal& signal) { return signal.sensor >= 0; };
  static const BoundKeys<WatchedSignal> keys =
      BoundKeys<WatchedSignal>()
          .key("state", &WatchedSignal::state,
               {.help = "what is estimated, as estimates.csv or the result name it: "
                        "\"force(load)\" or \"force_load\""})
          .other({.name = "sensor", .forms = kText, .help = "or the sensor whose innovations"})
          .key("above", &WatchedSignal::above,
               {.help = "alarm where the true value is surely above it", .unit = "of the state"})
          .used_when(of_state, "has no place with a sensor")
          .key("below", &WatchedSignal::below, {.help = "or below it", .unit = "of the state"})
          .used_when(of_state, "has no place with a sensor")
          .key("rule", &WatchedSignal::rule,
               {.help = "cusum sums innovations and sees small changes that last; threshold "
                        "looks at each value alone",
                .fallback_note = "threshold for states, cusum for sensors"})
          .key("change", &WatchedSignal::change,
               {.help = "smallest change worth an alarm: beyond the limit, in the unit of the "
                        "state, whose delay is then told; or of the innovations, in standard "
                        "deviations",
                .range = above(0.0),
                .fallback_note = "1 for sensors"})
          .key("false-alarms-every", &WatchedSignal::false_alarms_every,
               {.help = "mean time between false alarms", .unit = "s", .range = above(0.0)})
          .key("learn", &WatchedSignal::learn,
               {.help = "the first so many s are sound: spread and correlation of the innovations "
                        "are learnt from them, and the watch begins after",
                .unit = "s",
                .range = at_least(0.0)})
          .used_when(of_sensor, "has no place without a sensor");
  return keys;
}

const ObserveKeys& observe_workspace_keys() {
  static const ObserveKeys keys =
      ObserveKeys()
          .key("lower", field_of(&ObserveOptions::workspace, &Workspace::lower),
               {.help = "least coordinates", .unit = "rad or m", .required = true})
          .key("upper", field_of(&ObserveOptions::workspace, &Workspace::upper),
               {.help = "largest coordinates", .unit = "rad or m", .required = true})
          .key("points", field_of(&ObserveOptions::workspace, &Workspace::points),
               {.help = "places along each coordinate; 1e5 at most in all",
                .range = within(2.0, 10000.0),
                .fallback_note = "37, fewer with more coordinates"});
  return keys;
}

}  // namespace alembert::study
