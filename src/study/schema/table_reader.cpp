#include "study/schema/table_reader.hpp"

#include <utility>

#include "alembert/core/assert.hpp"
#include "alembert/core/error.hpp"
#include "alembert/study/detail/toml.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/schema/check_value.hpp"
#include "study/toml/text_place.hpp"

namespace alembert::study {

TableReader::TableReader(const Document& document, const TableSpec& root)
    : TableReader(document, root, &document.root, "", {.line = 1, .column = 1}) {}

TableReader::TableReader(const Document& document, const TableSpec& spec, const Value* value,
                         std::string path, Position position)
    : document_(&document),
      spec_(&spec),
      value_(value),
      path_(std::move(path)),
      position_(position) {}

const Entry* TableReader::entry(const std::string& key) const {
  return value_ == nullptr ? nullptr : value_->find(key);
}

const Value* TableReader::value(const std::string& key) const {
  const Entry* found = entry(key);
  return found == nullptr ? nullptr : &found->value;
}

Value TableReader::value_or_default(const std::string& key) const {
  if (const Value* given = value(key)) {
    return *given;
  }
  const KeySpec* spec = spec_->find(key, value_);
  ALEMBERT_ASSERT(spec != nullptr && !spec->fallback.empty());
  return parse_toml("x = " + spec->fallback, "default").root.find("x")->value;
}

double TableReader::number(const std::string& key) const { return value_or_default(key).number(); }

long long TableReader::integer(const std::string& key) const {
  return std::get<long long>(value_or_default(key).data);
}

bool TableReader::boolean(const std::string& key) const {
  return std::get<bool>(value_or_default(key).data);
}

std::string TableReader::text(const std::string& key) const {
  return todays_text(key, std::get<std::string>(value_or_default(key).data));
}

std::string TableReader::todays_text(const std::string& key, const std::string& text) const {
  const KeySpec* spec = spec_->find(key, value_);
  return spec == nullptr ? text : spec->todays_text(text);
}

std::optional<double> TableReader::optional_number(const std::string& key) const {
  if (!has(key)) {
    return std::nullopt;
  }
  return value(key)->number();
}

std::optional<std::string> TableReader::optional_text(const std::string& key) const {
  if (!has(key)) {
    return std::nullopt;
  }
  return todays_text(key, *value(key)->text());
}

std::vector<double> TableReader::numbers(const std::string& key) const {
  return mapped(*value(key)->array(), [](const Value& item) { return item.number(); });
}

Eigen::VectorXd TableReader::vector(const std::string& key) const {
  const std::vector<double> list = numbers(key);
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

std::vector<std::string> TableReader::texts(const std::string& key) const {
  const Value list = value_or_default(key);
  if (list.text() != nullptr) {
    return {todays_text(key, *list.text())};
  }
  return mapped(*list.array(), [&](const Value& item) { return todays_text(key, *item.text()); });
}

Eigen::MatrixXd TableReader::rows(const std::string& key) const {
  const Array& list = *value(key)->array();
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(list.size()),
                         static_cast<Eigen::Index>(list.front().array()->size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Array& row = *list[static_cast<std::size_t>(i)].array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      matrix(i, j) = row[static_cast<std::size_t>(j)].number();
    }
  }
  return matrix;
}

unsigned TableReader::form(const std::string& key) const {
  const Value* given = value(key);
  return given == nullptr ? 0U : form_of(*given, spec_->find(key, value_)->forms);
}

TableReader TableReader::table(const std::string& key) const {
  const KeySpec* spec = spec_->find(key, value_);
  ALEMBERT_ASSERT(spec != nullptr && spec->table != nullptr);
  const Entry* found = entry(key);
  if (found == nullptr) {
    return {*document_, *spec->table, nullptr, name(key), position_};
  }
  // A table that dotted keys imply stands nowhere itself.
  const Position& own = found->value.position;
  return {*document_, *spec->table, &found->value, name(key), own.line > 0 ? own : found->position};
}

std::vector<TableReader> TableReader::tables(const std::string& key) const {
  const KeySpec* spec = spec_->find(key, value_);
  ALEMBERT_ASSERT(spec != nullptr && spec->table != nullptr);
  std::vector<TableReader> list;
  if (const Value* given = value(key)) {
    for (const Value& item : *given->array()) {
      list.push_back(TableReader(*document_, *spec->table, &item, item_name(name(key), list.size()),
                                 item.position));
    }
  }
  return list;
}

std::vector<std::string> TableReader::keys() const {
  if (value_ == nullptr) {
    return {};
  }
  return mapped(*value_->table(), [](const Entry& item) { return item.key; });
}

std::string TableReader::name(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

Place TableReader::place(const std::string& key) const {
  const Value* given = value(key);
  return document_->place(given == nullptr ? position_ : given->position);
}

Place TableReader::key_place(const std::string& key) const {
  const Entry* found = entry(key);
  return document_->place(found == nullptr ? position_ : found->position);
}

Place TableReader::place_in(const std::string& key, std::size_t line, std::size_t column) const {
  const Value* given = value(key);
  if (given == nullptr || given->text() == nullptr || given->position.source > 0 || line == 0) {
    return place(key);
  }
  return document_->place(position_in_text(document_->text, given->position, line, column));
}

void TableReader::fail(const std::string& key, const std::string& rule) const {
  throw StudyError(place(key), name(key) + " " + rule);
}

void TableReader::fail_at_key(const std::string& key, const std::string& message) const {
  throw StudyError(key_place(key), message);
}

}  // namespace alembert::study
