// Writes the reports that the browser tests open: sample_reports FOLDER.
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "alembert/report/page.hpp"

namespace {

using namespace alembert::document;
using namespace alembert::report;
using Eigen::Index;
using Eigen::VectorXd;
using std::numbers::pi;

std::string numbered(std::string name, int k) { return name += std::to_string(k); }

VectorXd grid(Index samples, double step) {
  return VectorXd::LinSpaced(samples, 0.0, step * static_cast<double>(samples - 1));
}

VectorXd noise(Index samples, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return VectorXd::NullaryExpr(samples, [&] { return uniform(engine); });
}

// Displacement and record of two sensors: groups, points over lines, a gap, micrometres.
Plot records_plot(std::mt19937_64& engine) {
  const VectorXd t = grid(600, 0.01);
  Plot plot{.id = "records",
            .title = "Records of the displacement sensors",
            .x_label = "time [s]",
            .y_label = "displacement [m]",
            .curves = {},
            .caption = "Points are what the sensors gave, lines the true motion"};
  for (int k = 0; k < 3; ++k) {
    const double rate = 2.0 * pi * (0.4 + 0.25 * k);
    const VectorXd truth = 2e-5 * (rate * t.array()).sin() * (-0.2 * t.array()).exp();
    VectorXd record = truth + 1.5e-6 * noise(t.size(), engine);
    if (k == 1) record.segment(200, 60).setConstant(std::numeric_limits<double>::quiet_NaN());
    const std::string name = numbered("y", k + 1);
    plot.curves.push_back(
        {.name = "recorded", .x = t, .y = record, .style = Curve::Style::Points, .group = name});
    plot.curves.push_back({.name = "true", .x = {}, .y = truth, .group = name});
  }
  return plot;
}

// Two bars of a Bode plot: magnitude and phase of a two-mode system.
std::complex<double> response(double f) {
  const std::complex<double> s(0.0, 2.0 * pi * f);
  const auto mode = [&](double f0, double zeta) {
    const double w = 2.0 * pi * f0;
    return 1.0 / (s * s + 2.0 * zeta * w * s + w * w);
  };
  return 0.01 * mode(0.89, 0.02) + 0.006 * mode(3.2, 0.015);
}

std::pair<Plot, Plot> bode_plots() {
  const VectorXd f =
      VectorXd::LinSpaced(2000, -1.0, 1.0).unaryExpr([](double e) { return std::pow(10.0, e); });
  VectorXd size(f.size()), phase(f.size());
  for (Index k = 0; k < f.size(); ++k) {
    size(k) = std::abs(response(f(k)));
    phase(k) = std::arg(response(f(k))) * 180.0 / pi;
  }
  const std::vector<Marker> modes = {{0.89, "0.89 Hz"}, {3.2, "3.2 Hz"}};
  Plot magnitude{.id = "frf-magnitude",
                 .title = "Receptance, magnitude",
                 .x_label = "frequency [Hz]",
                 .y_label = "magnitude [m/N]",
                 .log_x = true,
                 .log_y = true,
                 .curves = {{.name = "q1 / u1", .x = f, .y = size}},
                 .markers = modes};
  Plot angle{.id = "frf-phase",
             .title = "Receptance, phase",
             .x_label = "frequency [Hz]",
             .y_label = "phase [deg]",
             .log_x = true,
             .curves = {{.name = "q1 / u1", .x = f, .y = phase, .style = Curve::Style::Dashed}},
             .markers = modes};
  return {magnitude, angle};
}

Plot bars_plot() {
  return {.id = "modes-plot",
          .title = "Modal damping",
          .x_label = "mode",
          .y_label = "damping ratio [%]",
          .curves = {{.name = "model",
                      .x = VectorXd::LinSpaced(8, 1, 8),
                      .y = (VectorXd(8) << 5.1, 3.2, 3.0, 2.4, 2.2, 2.1, 1.9, 1.5).finished(),
                      .style = Curve::Style::Bars},
                     {.name = "estimate",
                      .x = VectorXd::LinSpaced(8, 1, 8),
                      .y = (VectorXd(8) << 5.0, 3.4, 2.9, 2.5, 2.1, 2.2, 1.8, 1.6).finished(),
                      .style = Curve::Style::Bars}}};
}

Plot loop_plot() {
  const VectorXd angle = VectorXd::LinSpaced(400, 0.0, 6.0 * pi);
  const VectorXd radius = (-0.1 * angle.array()).exp();
  return {.id = "loop",
          .title = "Phase portrait",
          .x_label = "displacement [m]",
          .y_label = "velocity [m/s]",
          .curves = {{.name = "q1",
                      .x = radius.array() * angle.array().cos(),
                      .y = -radius.array() * angle.array().sin()}}};
}

MatrixView stiffness(Index n) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    K(i, i) = 27071.1;
    if (i + 1 < n) K(i, i + 1) = K(i + 1, i) = -10000.0;
    if (i + 4 < n) K(i, i + 4) = K(i + 4, i) = -3535.5;
  }
  return {.id = "stiffness",
          .title = "Stiffness K",
          .values = K,
          .row_names = {},
          .column_names = {},
          .unit = "N/m"};
}

Table modes_table() {
  return {.id = "modes",
          .title = "Modes of the damped system",
          .header = {"mode", "frequency [Hz]", "damping [%]", "pole [1/s]", "note"},
          .rows = {{"1", "0.8897", "5.06", "-0.283 + 5.58i", "first bending"},
                   {"2", "1.55", "3.201", "-0.312 + 9.73i", ""},
                   {"10", "12.25", "11", "-9.4 + 76.1i", "local"}},
          .caption = "Ascending natural frequency"};
}

Document small_report() {
  std::mt19937_64 engine(7);
  const auto [magnitude, angle] = bode_plots();
  Document document{
      .title = "Eight-degree-of-freedom frame",
      .subtitle = "Response of the frame to spline noise, with noisy displacement sensors",
      .facts = {{"degrees of freedom", "8"},
                {"inputs", "8"},
                {"sensors", "8"},
                {"samples", "3300"},
                {"rate", "200 Hz"},
                {"duration", "16.5 s"},
                {"seed", "1"}},
      .sections = {}};
  document.sections.push_back(
      {"What was asked",
       {Paragraph{"The study asks for the response of the frame to independent forces at all "
                  "coordinates and for the records of eight displacement sensors with a "
                  "signal-to-noise ratio of 20 dB."},
        Listing{"simulate.toml",
                "title = \"Frame\"\n\n[simulate]\nstep = 0.005   # s\nsamples = 3300\n"}}});
  document.sections.push_back(
      {"Model",
       {Paragraph{"Mass, damping and stiffness are positive definite.", Paragraph::Kind::Good},
        stiffness(8), modes_table(), bars_plot(), magnitude, angle}});
  document.sections.push_back(
      {"Signals",
       {Paragraph{"Sensor y2 has a gap of 0.6 s.", Paragraph::Kind::Warning},
        Paragraph{"The encoder left its range.", Paragraph::Kind::Bad}, records_plot(engine),
        loop_plot()}});
  document.sections.push_back({"Claims",
                               {Table{.id = "claims",
                                      .title = "Claims",
                                      .header = {"claim", "measured", "target", "result"},
                                      .rows = {{"order of Newmark", "1.998", "2 +- 0.05", "ok"},
                                               {"round trip", "3.1e-13", "<= 1e-14", "not ok"}},
                                      .status_column = 3}}});
  return document;
}

Document many_channels() {
  std::mt19937_64 engine(11);
  Plot plot{.id = "channels",
            .title = "Sixty-four accelerometers",
            .x_label = "time [s]",
            .y_label = "acceleration [m/s\u00b2]",
            .curves = {}};
  const VectorXd t = grid(20000, 1e-3);
  for (int k = 0; k < 64; ++k) {
    const double rate = 2.0 * pi * (0.3 + 0.05 * k);
    const VectorXd y =
        ((rate * t.array() + k).sin() * (0.4 + 0.6 * (0.3 * t.array() + 0.2 * k).cos().square()) +
         0.1 * noise(t.size(), engine).array())
            .matrix();
    plot.curves.push_back({.name = numbered("acc_", k + 1), .x = k == 0 ? t : VectorXd(), .y = y});
  }
  Table table{.id = "channels-table",
              .title = "Channels",
              .header = {"channel", "sigma [m/s\u00b2]", "samples"},
              .rows = {}};
  for (int k = 0; k < 64; ++k) table.rows.push_back({numbered("acc_", k + 1), "0.0577", "20000"});
  return {.title = "Sixty-four channels",
          .facts = {{"channels", "64"}, {"samples", "20000"}},
          .sections = {{"Records", {plot, stiffness(64), table}}}};
}

// One spike in a million samples must stay in the picture.
Document million_samples() {
  const Index samples = 1'000'000;
  const VectorXd t = grid(samples, 1e-4);
  VectorXd y = (2.0 * pi * 0.5 * t.array()).sin();
  y(654'321) = 7.5;
  VectorXd f = VectorXd::LinSpaced(500'000, 0.01, 5000.0);
  VectorXd power = f.unaryExpr([](double v) {
    return 1e-4 / ((1.0 - v * v / 100.0) * (1.0 - v * v / 100.0) + 1e-4 * v * v);
  });
  Plot record{.id = "spike",
              .title = "A million samples",
              .x_label = "time [s]",
              .y_label = "voltage [V]",
              .curves = {{.name = "channel", .x = t, .y = y}}};
  Plot spectrum{.id = "spectrum",
                .title = "Half a million lines",
                .x_label = "frequency [Hz]",
                .y_label = "power density [V\u00b2/Hz]",
                .log_x = true,
                .log_y = true,
                .curves = {{.name = "channel", .x = f, .y = power}},
                .markers = {{10.0, "10 Hz"}}};
  return {.title = "A million samples",
          .facts = {{"samples", "1000000"}},
          .sections = {{"Record", {record, spectrum}}}};
}

// A column of three nodes with a plate, a real and a complex shape, and poles to click on.
Document shapes_report() {
  ShapeView view{.id = "shapes",
                 .title = "Shapes",
                 .names = {"1", "2", "3", "4", "5"},
                 .points = Eigen::MatrixXd(5, 3),
                 .lines = {{0, 1, 2}},
                 .surfaces = {{2, 3, 4}},
                 .arrows = {{.name = "a", .point = 2, .direction = {1.0, 0.0, 0.0}}}};
  view.points << 0, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0, 2, 1, 1, 2;
  Eigen::MatrixXcd real = Eigen::MatrixXcd::Zero(5, 3);
  real.col(0) << 0.0, 0.3, 1.0, 1.0, 1.0;
  Eigen::MatrixXcd turning = real;
  turning.col(1) = std::complex<double>(0.0, 0.5) * real.col(0);
  view.shapes = {{"mode 1", real}, {"mode 2", turning}};
  Plot plot{.id = "poles",
            .title = "Poles",
            .x_label = "frequency [Hz]",
            .y_label = "order",
            .curves = {}};
  VectorXd x(8), y(8);
  x << 5.0, 10.0, 10.1, 30.0, 30.0, 20.0, 40.0, 10.0;
  y << 4.0, 10.0, 20.0, 20.0, 30.0, 30.0, 40.0, 20.0;
  plot.curves.push_back({.name = "poles", .x = x, .y = y, .style = Curve::Style::Points});
  plot.choice = {.table = "identify.poles", .what = "mode", .found = {10.0, 10.1, 30.0}};
  return {.title = "Shapes and poles", .sections = {{"Modes", {view, plot}}}};
}

Document hostile() {
  const std::string attack =
      "</script><img src=x onerror=\"window.hacked=1\"><script>window.hacked=2</script>\"'&<b>";
  const VectorXd x = grid(50, 0.1);
  Plot plot{.id = attack,
            .title = attack,
            .x_label = attack + " [s]",
            .y_label = attack + " [</text>]",
            .curves = {},
            .caption = attack,
            .markers = {{1.0, attack}}};
  plot.curves.push_back(
      {.name = attack, .x = x, .y = x.array().sin(), .unit = attack, .group = attack});
  plot.curves.push_back(
      {.name = "bad bytes \xff\xfe and \x01 control", .x = x, .y = x.array().cos()});
  return {.title = attack,
          .subtitle = attack,
          .facts = {{attack, attack}},
          .sections = {{attack,
                        {Paragraph{attack},
                         Table{.id = attack,
                               .title = attack,
                               .header = {attack},
                               .rows = {{attack}},
                               .caption = attack},
                         plot,
                         MatrixView{.id = attack,
                                    .title = attack,
                                    .values = Eigen::MatrixXd::Identity(1, 1),
                                    .row_names = {attack},
                                    .column_names = {attack},
                                    .unit = attack},
                         ShapeView{.id = attack,
                                   .title = attack,
                                   .names = {attack},
                                   .points = Eigen::MatrixXd::Zero(1, 3),
                                   .shapes = {{attack, Eigen::MatrixXcd::Ones(1, 3)}},
                                   .caption = attack},
                         Listing{attack, attack}}}}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: sample_reports FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    write_report(folder / "small.html", small_report());
    write_report(folder / "channels.html", many_channels());
    write_report(folder / "million.html", million_samples());
    write_report(folder / "shapes.html", shapes_report());
    write_report(folder / "hostile.html", hostile());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sample_reports: %s\n", error.what());
    return 1;
  }
  return 0;
}
