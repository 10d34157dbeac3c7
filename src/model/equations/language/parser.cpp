#include "model/equations/language/parser.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "alembert/core/text.hpp"
#include "model/equations/language/functions.hpp"

namespace alembert::model::equations {

namespace {

constexpr int kMaxDepth = 200;

std::optional<Form> form_of(const Token& token,
                            std::initializer_list<std::pair<std::string_view, Form>> choices) {
  if (token.kind == TokenKind::Symbol || token.kind == TokenKind::Name) {
    for (const auto& [text, form] : choices) {
      if (token.text == text && token.primes == 0) {
        return form;
      }
    }
  }
  return std::nullopt;
}

// Recursive descent; operators of one level are loops, so that only parentheses, calls, signs and
// powers nest.
class EquationParser {
 public:
  EquationParser(std::string_view part, std::string_view text)
      : part_(part), tokens_(tokenize(part, text)) {}

  Syntax statements() {
    while (token().kind != TokenKind::EndOfText) {
      statement();
    }
    return std::move(syntax_);
  }

  Syntax expression_alone() {
    if (token().kind == TokenKind::EndOfText) {
      fail(part_, token().position, "an expression is missing");
    }
    Statement only{.position = token().position};
    only.root = expression();
    end_of_statement();
    if (token().kind != TokenKind::EndOfText) {
      fail(part_, token().position, "one expression is expected");
    }
    syntax_.statements.push_back(std::move(only));
    return std::move(syntax_);
  }

 private:
  const Token& token() const { return tokens_[at_]; }
  const Token& take() { return tokens_[at_++]; }
  bool is_symbol(std::string_view text) const {
    return token().kind == TokenKind::Symbol && token().text == text;
  }

  [[noreturn]] void unexpected(const std::string& wanted) const {
    const bool end = token().kind == TokenKind::EndOfLine || token().kind == TokenKind::EndOfText;
    fail(part_, token().position,
         fmt::format("{}, got {}", wanted, end ? token().text : in_quotes(token().text)));
  }

  void expect(std::string_view symbol) {
    if (!is_symbol(symbol)) {
      unexpected(fmt::format("'{}' is expected", symbol));
    }
    ++at_;
  }

  void statement() {
    if (token().kind != TokenKind::Name) {
      unexpected("an equation begins with a name");
    }
    const Token& name = take();
    Statement result{.name = name.text, .primes = name.primes, .position = name.position};
    if (!is_symbol("=")) {
      unexpected(fmt::format("'=' is expected after '{}'", primed(name.text, name.primes)));
    }
    ++at_;
    result.first = static_cast<std::uint32_t>(syntax_.nodes.size());
    result.root = expression();
    end_of_statement();
    syntax_.statements.push_back(std::move(result));
  }

  void end_of_statement() {
    if (token().kind != TokenKind::EndOfLine) {
      if (is_symbol("=")) {
        fail(part_, token().position, "unexpected '='; comparisons are written with ==");
      }
      unexpected("an operator or the end of the line is expected");
    }
    ++at_;
  }

  std::uint32_t add(SyntaxNode node) {
    syntax_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(syntax_.nodes.size() - 1);
  }

  std::uint32_t binary(Form form, Position position, std::uint32_t a, std::uint32_t b) {
    return add({.form = form, .argument_count = 2, .arguments = {a, b, 0}, .position = position});
  }

  // Guards the stack against hostile nesting.
  class Level {
   public:
    explicit Level(EquationParser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) {
        fail(parser_.part_, parser_.token().position,
             fmt::format("the expression is nested deeper than {} levels", kMaxDepth));
      }
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    EquationParser& parser_;
  };

  std::uint32_t expression() {
    const Level level(*this);
    std::uint32_t left = conjunction();
    while (const auto form = form_of(token(), {{"or", Form::Or}})) {
      const Position position = take().position;
      const std::uint32_t right = conjunction();
      left = binary(*form, position, left, right);
    }
    return left;
  }

  std::uint32_t conjunction() {
    std::uint32_t left = negation();
    while (const auto form = form_of(token(), {{"and", Form::And}})) {
      const Position position = take().position;
      const std::uint32_t right = negation();
      left = binary(*form, position, left, right);
    }
    return left;
  }

  std::uint32_t negation() {
    if (const auto form = form_of(token(), {{"not", Form::Not}})) {
      const Level level(*this);
      const Position position = take().position;
      const std::uint32_t a = negation();
      return add({.form = *form, .argument_count = 1, .arguments = {a}, .position = position});
    }
    return comparison();
  }

  std::optional<Form> comparison_sign() const {
    return form_of(token(), {{"<", Form::Less},
                             {"<=", Form::LessEqual},
                             {">", Form::Greater},
                             {">=", Form::GreaterEqual},
                             {"==", Form::Equal},
                             {"!=", Form::NotEqual}});
  }

  std::uint32_t comparison() {
    const std::uint32_t left = sum();
    const auto form = comparison_sign();
    if (!form) {
      return left;
    }
    const Position position = take().position;
    const std::uint32_t result = binary(*form, position, left, sum());
    if (comparison_sign()) {
      fail(part_, token().position, "comparisons do not chain; write a < b and b < c");
    }
    return result;
  }

  std::uint32_t sum() {
    std::uint32_t left = product();
    while (const auto form = form_of(token(), {{"+", Form::Add}, {"-", Form::Subtract}})) {
      const Position position = take().position;
      const std::uint32_t right = product();
      left = binary(*form, position, left, right);
    }
    return left;
  }

  std::uint32_t product() {
    std::uint32_t left = signed_power();
    while (const auto form = form_of(token(), {{"*", Form::Multiply}, {"/", Form::Divide}})) {
      const Position position = take().position;
      const std::uint32_t right = signed_power();
      left = binary(*form, position, left, right);
    }
    return left;
  }

  std::uint32_t signed_power() {
    if (is_symbol("+") || is_symbol("-")) {
      const Level level(*this);
      const Token& sign = take();
      const std::uint32_t a = signed_power();
      if (sign.text == "+") {
        return a;
      }
      return add(
          {.form = Form::Negate, .argument_count = 1, .arguments = {a}, .position = sign.position});
    }
    const std::uint32_t base = primary();
    if (!is_symbol("^")) {
      return base;
    }
    const Level level(*this);
    const Position position = take().position;
    return binary(Form::Power, position, base, signed_power());
  }

  std::uint32_t primary() {
    if (is_symbol("(")) {
      ++at_;
      const std::uint32_t inside = expression();
      expect(")");
      return inside;
    }
    if (token().kind == TokenKind::Number) {
      const Token& number = take();
      return add({.form = Form::Number,
                  .number = number.number,
                  .text = number.text,
                  .position = number.position});
    }
    if (token().kind == TokenKind::Name && token().text != "and" && token().text != "or") {
      return name_or_call();
    }
    unexpected("a number, a name or '(' is expected");
  }

  std::uint32_t name_or_call() {
    const Token& name = take();
    if (is_symbol("(")) {
      return call(name);
    }
    if (const Function* function = find_function(name.text)) {
      fail(part_, name.position,
           fmt::format("'{}' is a function and needs {}", name.text,
                       function->arguments == 1 ? "an argument in parentheses"
                                                : "arguments in parentheses"));
    }
    return add(
        {.form = Form::Name, .primes = name.primes, .text = name.text, .position = name.position});
  }

  [[noreturn]] void unknown_function(const Token& name) const {
    std::vector<std::string> known;
    for (const Function& function : functions()) {
      known.emplace_back(function.name);
    }
    const std::string near = nearest(name.text, known);
    fail(part_, name.position,
         fmt::format(
             "unknown function '{}'{}", primed(name.text, name.primes),
             near.empty() ? "; products need a *" : fmt::format(", did you mean '{}'?", near)));
  }

  std::uint32_t call(const Token& name) {
    const Function* function = find_function(name.text);
    if (function == nullptr || name.primes > 0) {
      unknown_function(name);
    }
    ++at_;
    SyntaxNode node{.form = function->form, .position = name.position};
    int count = 0;
    if (function->form == Form::Table) {
      table_name(node);
      count = 1;
    }
    if (count == 0 && is_symbol(")")) {
      wrong_count(*function, name.position, "none");
    }
    while (count == 0 || is_symbol(",")) {
      if (count > 0) {
        ++at_;
      }
      const std::uint32_t argument = expression();
      if (count == function->arguments) {
        wrong_count(*function, name.position, "more");
      }
      node.arguments[static_cast<std::size_t>(node.argument_count++)] = argument;
      ++count;
    }
    expect(")");
    if (count != function->arguments) {
      wrong_count(*function, name.position, std::to_string(count));
    }
    return add(std::move(node));
  }

  [[noreturn]] void wrong_count(const Function& function, Position position,
                                const std::string& got) const {
    fail(part_, position,
         fmt::format("{} takes {} argument{}, got {}", function.name, function.arguments,
                     function.arguments == 1 ? "" : "s", got));
  }

  void table_name(SyntaxNode& node) {
    if (token().kind != TokenKind::String) {
      unexpected("the name of a table in quotation marks is expected");
    }
    node.text = take().text;
  }

  std::string_view part_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Syntax syntax_;
};

}  // namespace

Syntax parse_statements(std::string_view part, std::string_view text) {
  return EquationParser(part, text).statements();
}

Syntax parse_expression(std::string_view part, std::string_view text) {
  return EquationParser(part, text).expression_alone();
}

}  // namespace alembert::model::equations
