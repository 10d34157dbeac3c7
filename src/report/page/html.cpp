#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"
#include "alembert/report/page.hpp"
#include "core/sha256.hpp"
#include "report/page/animation_html.hpp"
#include "report/page/assets.hpp"
#include "report/page/encode.hpp"
#include "report/page/matrix_html.hpp"
#include "report/page/plot_data.hpp"
#include "report/page/shape_view_html.hpp"
#include "report/page/table_html.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {
namespace {

constexpr std::size_t kContentsFrom = 4;  // sections

// The part of its wanted points that each plot may use, so that the page stays within its budget.
double point_share(const Document& document) {
  Eigen::Index wanted = 0;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* plot = std::get_if<Plot>(&block)) wanted += wanted_points(*plot);
    }
  }
  if (wanted <= kPagePoints) return 1.0;
  return static_cast<double>(kPagePoints) / static_cast<double>(wanted);
}

std::string sentence(const std::string& text) {
  if (text.empty()) return {};
  const bool ended = text.back() == '.' || text.back() == '!' || text.back() == '?';
  return html(text) + (ended ? "" : ".");
}

std::string thinning_note(const PlotData& data) {
  if (!data.thinned()) return {};
  return fmt::format(
      " Drawn from {} of {} samples a curve, chosen so that no peak is lost; the CSV files beside "
      "this report hold all of them.",
      grouped(data.most_points), grouped(data.most_samples));
}

// Draws the blocks of a document in order; counts figures and tables and keeps ids unique.
class Writer {
 public:
  explicit Writer(double share) : share_(share) {}

  std::string section(const Section& section, std::size_t number) {
    std::string text =
        fmt::format("<section id=\"section-{}\"><h2><span class=\"number\">{}</span>{}</h2>\n",
                    number, number, html(section.title));
    bool in_matrices = false;
    for (const Block& block : section.blocks) {
      const bool matrix = std::holds_alternative<MatrixView>(block);
      if (matrix != in_matrices) text += matrix ? "<div class=\"matrices\">\n" : "</div>\n";
      in_matrices = matrix;
      text += std::visit([this](const auto& content) { return draw(content); }, block);
    }
    return text + (in_matrices ? "</div>\n" : "") + "</section>\n";
  }

 private:
  std::string draw(const Paragraph& paragraph) {
    switch (paragraph.kind) {
      case Paragraph::Kind::Good:
        return note(paragraph, "good", "\u2713");
      case Paragraph::Kind::Warning:
        return note(paragraph, "warning", "Warning:");
      case Paragraph::Kind::Bad:
        return note(paragraph, "bad", "\u2717");
      default:
        return fmt::format("<p>{}</p>\n", sentence_html(paragraph.text));
    }
  }

  std::string draw(const Table& table) {
    return table_html(table, unique_id(table.id, "table"), ++tables_);
  }

  std::string draw(const MatrixView& view) {
    return matrix_html(view, unique_id(view.id, "matrix"), ++figures_);
  }

  std::string draw(const Plot& plot) {
    const PlotData data = plot_data(plot, share_);
    const std::string caption = sentence(plot.caption);
    return fmt::format(
        "<figure class=\"chart\" id=\"{}\">\n"
        "<div class=\"head\"><div class=\"legend\"></div><div class=\"tools\"></div></div>\n"
        "<div class=\"plot\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"></div>"
        "<div class=\"print\"></div>\n"
        "<noscript><p class=\"noscript\">This plot needs JavaScript. Its numbers are in the CSV "
        "files "
        "beside this report.</p></noscript>\n"
        "<figcaption><b>Figure {}.</b> {} {}{}</figcaption>\n"
        "<script type=\"application/json\">{}</script></figure>\n",
        unique_id(plot.id, "plot"), html(plot.title), ++figures_, sentence(plot.title), caption,
        thinning_note(data), data.json);
  }

  std::string draw(const Animation& animation) {
    return animation_html(animation, unique_id(animation.id, "animation"), ++figures_);
  }

  std::string draw(const ShapeView& view) {
    return shape_view_html(view, unique_id(view.id, "shapes"), ++figures_);
  }

  std::string draw(const Listing& listing) {
    return fmt::format(
        "<div class=\"listing\"><div class=\"name\">{}</div><pre tabindex=\"0\">{}</pre></div>\n",
        html(listing.title), html(listing.text));
  }

  static std::string note(const Paragraph& paragraph, const char* kind, const char* sign) {
    return fmt::format("<p class=\"note {}\"><b>{}</b> {}</p>\n", kind, sign,
                       sentence_html(paragraph.text));
  }

  std::string unique_id(const std::string& wanted, const std::string& fallback) {
    const std::string base = slug(wanted.empty() ? fallback : wanted);
    std::string id = base;
    for (int n = 2; !ids_.insert(id).second; ++n) id = fmt::format("{}-{}", base, n);
    return id;
  }

  double share_;
  int figures_ = 0;
  int tables_ = 0;
  std::set<std::string> ids_;
};

std::string script_text() {
  std::string text = "\n/*!\n";
  text += asset::uplot_licence();
  text += "\n*/\n";
  text += asset::uplot_js();
  text += "\n(() => {\n'use strict';\n";
  for (const auto part :
       {asset::number_js, asset::data_js, asset::export_js, asset::svg_js, asset::legend_js,
        asset::readout_js, asset::windows_js, asset::figure_js, asset::chart_js, asset::matrix_js,
        asset::animation_js, asset::shapes_js, asset::page_js}) {
    text += part();
  }
  return text + "})();\n";
}

// The one script of every page.
const std::string& page_script() {
  static const std::string text = script_text();
  return text;
}

std::string head_html(const Document& document) {
  const Sha256 hash = sha256_bytes(page_script());
  // The policy lets the page load nothing at all and run the one script that has this hash: what
  // a title or a name might bring in cannot run, whatever marks it carries.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" data-name=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'sha256-{}'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"Alembert {}\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}\n{}</style>\n</head>\n",
      slug(document.title), base64({hash.begin(), hash.end()}), version(), html(document.title),
      asset::uplot_css(), asset::style_css());
}

std::string facts_html(const Document& document) {
  if (document.facts.empty()) return {};
  std::string text = "<dl class=\"facts\">\n";
  for (const auto& [label, value] : document.facts) {
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html(label), html(value));
  }
  return text + "</dl>\n";
}

std::string list_html(const char* name, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text = fmt::format("<ul class=\"{}\">\n", name);
  for (const std::string& item : items) text += fmt::format("<li>{}</li>\n", sentence_html(item));
  return text + "</ul>\n";
}

// The level in its colour, then why, then what to do.
std::string verdict_html(const Document& document) {
  if (!document.verdict) return {};
  const Verdict& verdict = *document.verdict;
  const char* const kind = verdict.level == TrustLevel::Good      ? "good"
                           : verdict.level == TrustLevel::Caution ? "warning"
                                                                  : "bad";
  const char* const words =
      verdict.level == TrustLevel::Good      ? "Good: no check found a reason for doubt."
      : verdict.level == TrustLevel::Caution ? "Caution: usable, but look at this first."
                                             : "Bad: do not use these numbers.";
  return fmt::format(
      "<div class=\"verdict note {}\" id=\"verdict\"><p><b>Verdict</b> {}</p>\n{}{}</div>\n", kind,
      words, list_html("reasons", verdict.reasons), list_html("advice", verdict.advice));
}

std::string contents_html(const Document& document) {
  if (document.sections.size() < kContentsFrom) return {};
  std::string text = "<nav aria-label=\"contents\"><ol>\n";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    text +=
        fmt::format("<li><a href=\"#section-{0}\"><span class=\"number\">{0}</span>{1}</a></li>\n",
                    i + 1, html(document.sections[i].title));
  }
  return text + "</ol></nav>\n";
}

std::string header_html(const Document& document) {
  const std::string subtitle =
      document.subtitle.empty()
          ? ""
          : fmt::format("<p class=\"subtitle\">{}</p>\n", html(document.subtitle));
  return fmt::format("<header><div class=\"theme\"></div><h1>{}</h1>\n{}{}{}{}</header>\n",
                     html(document.title), subtitle, verdict_html(document), facts_html(document),
                     contents_html(document));
}

std::string footer_html() {
  return fmt::format(
      "<footer><p>Written by Alembert {}. Plots are drawn with uPlot 1.6.32 (MIT licence).</p>"
      "</footer>\n",
      version());
}

}  // namespace

std::string render_html(const Document& document) {
  Writer writer(point_share(document));
  std::string text = head_html(document) + "<body>\n" + header_html(document) + "<main>\n";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    text += writer.section(document.sections[i], i + 1);
  }
  return text + "</main>\n" + footer_html() + "<script>" + page_script() +
         "</script>\n</body>\n</html>\n";
}

void write_report(const std::filesystem::path& file, const Document& document) {
  const std::string text = render_html(document);
  std::ofstream stream(file, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) throw DataError({.file = file.string()}, "cannot be written");
}

}  // namespace alembert::report
