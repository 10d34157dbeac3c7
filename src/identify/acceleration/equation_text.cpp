#include "identify/acceleration/equation_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alembert::identify {

namespace {

using model::equations::fail;
using model::equations::Position;
using model::equations::TokenKind;
using Tokens = EquationText::Tokens;
using Token = EquationText::Token;

constexpr std::string_view kPart = "equations";

std::vector<Tokens> statements_of(std::string_view text) {
  std::vector<Tokens> statements(1);
  for (Token& token : model::equations::tokenize(kPart, text)) {
    if (token.kind == TokenKind::EndOfText) break;
    if (token.kind == TokenKind::EndOfLine) {
      if (!statements.back().empty()) statements.emplace_back();
    } else {
      statements.back().push_back(std::move(token));
    }
  }
  if (statements.back().empty()) statements.pop_back();
  return statements;
}

bool is_symbol(const Token& token, std::string_view text) {
  return token.kind == TokenKind::Symbol && token.text == text;
}

bool is_second(const Token& token) { return token.kind == TokenKind::Name && token.primes == 2; }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_given(const EquationOfMotionSetup& setup, const std::string& name) {
  return contains(setup.parameters, name) || contains(setup.inputs, name) ||
         std::any_of(setup.constants.begin(), setup.constants.end(),
                     [&name](const model::EquationConstant& c) { return c.name == name; });
}

// `name = ...` with a name that is not known yet.
bool is_definition(const Tokens& statement, const EquationOfMotionSetup& setup) {
  return statement.size() > 1 && statement[0].kind == TokenKind::Name && statement[0].primes == 0 &&
         is_symbol(statement[1], "=") && !is_given(setup, statement[0].text);
}

void split(const Tokens& statement, EquationText& motion) {
  const auto equals = std::find_if(statement.begin(), statement.end(),
                                   [](const Token& token) { return is_symbol(token, "="); });
  if (equals == statement.end() || equals == statement.begin() || equals + 1 == statement.end()) {
    fail(kPart, statement.front().position,
         "an equation of motion has terms on both sides of '=', as in x'' + a*x' + b*x = 0");
  }
  motion.left.assign(statement.begin(), equals);
  motion.right.assign(equals + 1, statement.end());
}

void find_coordinate(EquationText& motion) {
  for (const Tokens* side : {&motion.left, &motion.right}) {
    const auto found = std::find_if(side->begin(), side->end(), is_second);
    if (found == side->end()) continue;
    if (motion.coordinate.empty()) {
      motion.coordinate = found->text;
      motion.second = *found;
    }
  }
  if (motion.coordinate.empty()) {
    fail(kPart, motion.left.front().position,
         "the equation of motion has no second derivative x''");
  }
  const bool alone = motion.left.size() == 1 && is_second(motion.left[0]);
  motion.is_explicit = alone && std::none_of(motion.right.begin(), motion.right.end(), is_second);
}

// Only one coordinate may have primes, and definitions do not know its second derivative.
void check_primes(const EquationText& motion) {
  std::vector<const Tokens*> texts{&motion.left, &motion.right};
  for (const Tokens& definition : motion.definitions) texts.push_back(&definition);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    for (const Token& token : *texts[k]) {
      if (token.kind != TokenKind::Name || token.primes == 0) continue;
      if (token.text != motion.coordinate) {
        fail(kPart, token.position,
             fmt::format("the motion has one coordinate, {}, but {} has a derivative too",
                         motion.coordinate, token.text));
      }
      if (k >= 2 && token.primes == 2) {
        fail(kPart, token.position,
             fmt::format("{}'' may stand in the equation of motion only, not in a definition",
                         motion.coordinate));
      }
    }
  }
}

bool is_word_of_language(const std::string& name) {
  return name == "t" || name == "pi" || name == "and" || name == "or" || name == "not" ||
         name == "table" || name == "if" || model::equations::is_function(name);
}

void find_names(const std::vector<Tokens>& statements, const EquationOfMotionSetup& setup,
                EquationText& motion) {
  std::vector<std::string> defined;
  for (const Tokens& definition : motion.definitions) defined.push_back(definition[0].text);
  for (const Tokens& statement : statements) {
    for (const Token& token : statement) {
      if (token.kind != TokenKind::Name || token.text == motion.coordinate) continue;
      if (is_word_of_language(token.text) || is_given(setup, token.text)) continue;
      if (!contains(defined, token.text) && !contains(motion.names, token.text)) {
        motion.names.push_back(token.text);
      }
    }
  }
}

}  // namespace

EquationText take_apart(std::string_view text, const EquationOfMotionSetup& setup) {
  const std::vector<Tokens> statements = statements_of(text);
  EquationText motion;
  for (const Tokens& statement : statements) {
    if (is_definition(statement, setup)) {
      motion.definitions.push_back(statement);
    } else if (motion.left.empty()) {
      split(statement, motion);
    } else {
      fail(kPart, statement.front().position,
           "there is a second equation of motion; a system of one degree of freedom has one");
    }
  }
  if (motion.left.empty()) {
    fail(kPart, {1, 1}, "the text has no equation of motion, such as x'' + a*x' + b*x = 0");
  }
  find_coordinate(motion);
  check_primes(motion);
  find_names(statements, setup, motion);
  return motion;
}

void WrittenText::add(const std::string& words) {
  if (text.size() > line_begin_) text += ' ';
  text += words;
}

void WrittenText::add(const EquationText::Tokens& tokens, const std::string& instead_of_second) {
  for (const Token& token : tokens) {
    if (text.size() > line_begin_) text += ' ';
    places.push_back({{line_, text.size() - line_begin_ + 1}, token.position});
    if (is_second(token) && !instead_of_second.empty()) {
      text += instead_of_second;
    } else if (token.kind == TokenKind::String) {
      text += '"' + token.text + '"';
    } else {
      text += token.text + std::string(static_cast<std::size_t>(token.primes), '\'');
    }
  }
}

void WrittenText::end_line() {
  text += '\n';
  ++line_;
  line_begin_ = text.size();
}

Position WrittenText::origin(Position place) const {
  Position found{1, 1};
  for (const auto& [here, there] : places) {
    const bool before =
        here.line < place.line || (here.line == place.line && here.column <= place.column);
    if (!before) break;
    found = there;
  }
  return found;
}

WrittenText write_explicit(const EquationText& motion, const std::string& instead_of_second,
                           double leading) {
  WrittenText written;
  for (const Tokens& definition : motion.definitions) {
    written.add(definition);
    written.end_line();
  }
  written.add(motion.coordinate + "'' =");
  if (motion.is_explicit) {
    written.add(motion.right);
    written.end_line();
    return written;
  }
  // x'' = (right - left)/leading; a zero on the right is not worth writing.
  const bool no_right = motion.right.size() == 1 && motion.right[0].kind == TokenKind::Number &&
                        motion.right[0].number == 0.0;
  if (leading != 1.0) written.add("(");
  if (!no_right) {
    written.add("(");
    written.add(motion.right, instead_of_second);
    written.add(")");
  }
  written.add("- (");
  // x'' at the beginning of a sum goes without leaving a zero.
  const bool leads = instead_of_second == "0" && motion.left.size() > 1 &&
                     is_second(motion.left[0]) &&
                     (is_symbol(motion.left[1], "+") || is_symbol(motion.left[1], "-"));
  const auto skip = leads ? (is_symbol(motion.left[1], "+") ? 2 : 1) : 0;
  written.add(Tokens(motion.left.begin() + skip, motion.left.end()), instead_of_second);
  written.add(")");
  if (leading != 1.0) written.add(fmt::format(") / ({})", leading));
  written.end_line();
  return written;
}

}  // namespace alembert::identify
