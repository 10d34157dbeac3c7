#include "report/page/plot_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/signal/decimate.hpp"
#include "report/page/encode.hpp"
#include "report/page/text.hpp"

namespace alembert::report {
namespace {

constexpr Eigen::Index kCurvePoints = 20'000;  // of one curve alone
constexpr Eigen::Index kFewestPoints = 400;    // of a curve, however many there are
constexpr Eigen::Index kPointsPerBucket = 4;   // of signal::decimate_min_max

struct Points {
  Eigen::VectorXd x, y;
};

std::string json_text(const std::string& text) {
  using nlohmann::json;
  return json(clean_text(text)).dump(-1, ' ', true, json::error_handler_t::replace);
}

std::string style_name(Curve::Style style) {
  switch (style) {
    case Curve::Style::Dashed:
      return "dashed";
    case Curve::Style::Faint:
      return "faint";
    case Curve::Style::Points:
      return "points";
    case Curve::Style::Bars:
      return "bars";
    default:
      return "line";
  }
}

// The abscissae of each curve: its own, or those of the curve before.
std::vector<const Eigen::VectorXd*> abscissae(const Plot& plot) {
  std::vector<const Eigen::VectorXd*> found;
  for (const Curve& curve : plot.curves) {
    const bool own = curve.x.size() > 0 || curve.y.size() == 0 || found.empty();
    found.push_back(own ? &curve.x : found.back());
    if (found.back()->size() != curve.y.size()) {
      throw InvalidInput({.function = "render_html",
                          .item = fmt::format("x of curve '{}' in plot '{}'", curve.name, plot.id),
                          .rule = fmt::format("must have {} values", curve.y.size()),
                          .value = fmt::format("{}", found.back()->size())});
    }
  }
  return found;
}

Eigen::Index points_per_curve(const Plot& plot, double share) {
  const auto count = std::max<Eigen::Index>(1, static_cast<Eigen::Index>(plot.curves.size()));
  const Eigen::Index each = std::min(kCurvePoints, kPlotPoints / count);
  const auto scaled = static_cast<Eigen::Index>(share * static_cast<double>(each));
  return std::max(kFewestPoints, scaled);
}

// Index after the last abscissa below `limit`, from `begin` on; x ascends.
Eigen::Index end_below(const Eigen::VectorXd& x, Eigen::Index begin, double limit) {
  return std::lower_bound(x.begin() + begin, x.end(), limit) - x.begin();
}

// On a logarithmic axis runs of equal count would waste all points on the last decade: runs of
// equal length on the axis instead.
Points thin_logarithmic(const Eigen::VectorXd& x, const Eigen::VectorXd& y, Eigen::Index buckets) {
  Eigen::Index begin = end_below(x, 0, std::numeric_limits<double>::min());
  const Eigen::Index first = begin;
  const double ratio = std::log(x(x.size() - 1) / x(first)) / static_cast<double>(buckets);
  std::vector<double> kept_x, kept_y;
  for (Eigen::Index b = 1; b <= buckets && begin < x.size(); ++b) {
    const double limit = x(first) * std::exp(ratio * static_cast<double>(b));
    const Eigen::Index end = b == buckets ? x.size() : end_below(x, begin, limit);
    if (end == begin) continue;
    const signal::Decimated run =
        signal::decimate_min_max(x.segment(begin, end - begin), y.segment(begin, end - begin), 1);
    kept_x.insert(kept_x.end(), run.x.begin(), run.x.end());
    kept_y.insert(kept_y.end(), run.y.begin(), run.y.end());
    begin = end;
  }
  const auto count = static_cast<Eigen::Index>(kept_x.size());
  return {Eigen::Map<Eigen::VectorXd>(kept_x.data(), count),
          Eigen::Map<Eigen::VectorXd>(kept_y.data(), count)};
}

Points thin(const Eigen::VectorXd& x, const Eigen::VectorXd& y, bool logarithmic,
            Eigen::Index most) {
  const Eigen::Index buckets = std::max<Eigen::Index>(1, most / kPointsPerBucket);
  const bool ascending = std::is_sorted(x.begin(), x.end());
  if (logarithmic && ascending && x(x.size() - 1) > 0.0) return thin_logarithmic(x, y, buckets);
  signal::Decimated kept = signal::decimate_min_max(x, y, buckets);
  return {std::move(kept.x), std::move(kept.y)};
}

// Encodes the curves one by one; abscissae that were written already are referred to.
class CurveWriter {
 public:
  CurveWriter(const Plot& plot, Eigen::Index most) : plot_(plot), most_(most) {}

  std::string write(const Curve& curve, const Eigen::VectorXd& x, PlotData& data) {
    const bool thinned = curve.y.size() > most_;
    const Eigen::Index samples = std::max(curve.samples, curve.y.size());
    if (&x != known_x_) step_ = grid_step(x);
    std::string json_x;
    std::string json_y;
    Eigen::Index points = curve.y.size();
    if (thinned) {
      const Points kept = thin(x, curve.y, plot_.log_x, most_);
      points = kept.y.size();
      json_x = encode_x(kept.x, step_);
      json_y = encode_y(kept.y);
      known_x_ = &x;
      whole_ = -1;
    } else {
      json_x = whole_x(x);
      json_y = encode_y(curve.y);
    }
    ++index_;
    if (samples > data.most_samples ||
        (samples == data.most_samples && points < data.most_points)) {
      data.most_samples = samples;
      data.most_points = points;
    }
    return fmt::format(R"({{"name":{},"group":{},"style":"{}","unit":{},"x":{},"y":{}}})",
                       json_text(curve.name), json_text(curve.group), style_name(curve.style),
                       json_text(curve.unit), json_x, json_y);
  }

 private:
  std::string whole_x(const Eigen::VectorXd& x) {
    const bool same = known_x_ != nullptr && whole_ >= 0 &&
                      (known_x_ == &x || (known_x_->size() == x.size() && *known_x_ == x));
    if (same) return fmt::format(R"({{"same":{}}})", whole_);
    known_x_ = &x;
    whole_ = index_;
    return encode_x(x, step_);
  }

  const Plot& plot_;
  Eigen::Index most_;
  Eigen::Index index_ = 0;
  Eigen::Index whole_ = -1;  // curve whose x was written last, complete
  const Eigen::VectorXd* known_x_ = nullptr;
  double step_ = 0.0;
};

std::string markers_json(const Plot& plot) {
  std::string text;
  for (const Marker& marker : plot.markers) {
    if (!std::isfinite(marker.x)) continue;
    text += fmt::format(R"({}{{"x":{},"label":{}}})", text.empty() ? "" : ",",
                        nlohmann::json(marker.x).dump(), json_text(marker.label));
  }
  return fmt::format("[{}]", text);
}

std::string choice_json(const Plot& plot) {
  if (!plot.choice) return "null";
  nlohmann::ordered_json json;
  json["table"] = clean_text(plot.choice->table);
  json["what"] = clean_text(plot.choice->what);
  json["found"] = plot.choice->found;
  json["keep"] = plot.choice->keep;
  json["drop"] = plot.choice->drop;
  return json.dump();
}

int visible_groups(const Plot& plot) {
  constexpr std::size_t kAllUpTo = 12;
  constexpr int kOtherwise = 8;
  if (plot.visible > 0) return plot.visible;
  std::vector<std::string> groups;
  std::size_t entries = 0;
  for (const Curve& curve : plot.curves) {
    const bool known = !curve.group.empty() &&
                       std::find(groups.begin(), groups.end(), curve.group) != groups.end();
    if (known) continue;
    groups.push_back(curve.group);
    ++entries;
  }
  return entries <= kAllUpTo ? static_cast<int>(entries) : kOtherwise;
}

}  // namespace

Eigen::Index wanted_points(const Plot& plot) {
  const Eigen::Index each = points_per_curve(plot, 1.0);
  Eigen::Index sum = 0;
  for (const Curve& curve : plot.curves) sum += std::min(each, curve.y.size());
  return sum;
}

PlotData plot_data(const Plot& plot, double share) {
  const std::vector<const Eigen::VectorXd*> x = abscissae(plot);
  CurveWriter writer(plot, points_per_curve(plot, share));
  PlotData data;
  std::string curves;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    if (i > 0) curves += ",";
    curves += writer.write(plot.curves[i], *x[i], data);
  }
  data.json = script_safe(fmt::format(
      R"({{"title":{},"x_label":{},"y_label":{},"log_x":{},"log_y":{},"visible":{},"markers":{},"choice":{},"curves":[{}]}})",
      json_text(plot.title), json_text(plot.x_label), json_text(plot.y_label), plot.log_x,
      plot.log_y, visible_groups(plot), markers_json(plot), choice_json(plot), curves));
  return data;
}

}  // namespace alembert::report
