#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/document/animation.hpp"
#include "alembert/document/matrix_view.hpp"
#include "alembert/document/plot.hpp"
#include "alembert/document/shape_view.hpp"
#include "alembert/document/table.hpp"

/// What a report or a reproduction is made of, free of any markup; report::render_html() draws it.
namespace alembert::document {

/// A paragraph of plain text.
struct Paragraph {
  std::string text;
  enum class Kind { Normal, Good, Warning, Bad } kind = Kind::Normal;
};

/// Preformatted text (the study file).
struct Listing {
  std::string title;
  std::string text;
};

using Block = std::variant<Paragraph, Table, Plot, MatrixView, Listing, Animation, ShapeView>;

struct Section {
  std::string title;
  std::vector<Block> blocks = {};
};

struct Document {
  std::string title;
  std::string subtitle = {};            ///< one line under the title: what was asked
  std::optional<Verdict> verdict = {};  ///< shown under the title
  std::vector<std::pair<std::string, std::string>> facts =
      {};  ///< key figures at the top: label, value
  std::vector<Section> sections = {};
};

}  // namespace alembert::document
