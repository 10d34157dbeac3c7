#include "reproductions/studies.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/study/detail/toml.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "reproductions/embedded_studies.hpp"

namespace alembert::reproductions {
namespace {

study::Value value_at(const std::string& name, const std::string& key) {
  study::Value value = study::parse_toml(study_text(name), name).root;
  for (std::size_t from = 0; from <= key.size();) {
    const std::size_t dot = std::min(key.find('.', from), key.size());
    const study::Entry* entry = value.find(key.substr(from, dot - from));
    if (entry == nullptr) {
      throw InvalidInput({.function = "study " + name, .rule = fmt::format("no key {}", key)});
    }
    value = study::Value(entry->value);
    from = dot + 1;
  }
  return value;
}

}  // namespace

std::string study_text(const std::string& name) {
  for (const EmbeddedStudy& study : embedded_studies()) {
    if (study.name == name) return std::string(study.text);
  }
  throw InvalidInput({.function = "study_text",
                      .argument = "name",
                      .rule = "must be a study of reproductions/CMakeLists.txt",
                      .value = name});
}

std::string study_word(const std::string& name, const std::string& key) {
  const study::Value value = value_at(name, key);
  if (value.text() == nullptr) {
    throw InvalidInput({.function = "study " + name, .rule = fmt::format("{} is no text", key)});
  }
  return *value.text();
}

double study_number(const std::string& name, const std::string& key) {
  const study::Value value = value_at(name, key);
  if (!value.is_number()) {
    throw InvalidInput({.function = "study " + name, .rule = fmt::format("{} is no number", key)});
  }
  return value.number();
}

model::SecondOrder study_system(const std::string& name) {
  const study::LoadedStudy loaded = study::load_study_text(study_text(name), name);
  if (loaded.as<study::SimulateStudy>() == nullptr) {
    throw InvalidInput({.function = "study " + name, .rule = "is no study with [simulate]"});
  }
  return loaded.as<study::SimulateStudy>()->linear()->system;
}

study::ReduceStudy study_reduction(const std::string& name) {
  const study::LoadedStudy loaded = study::load_study_text(study_text(name), name);
  if (loaded.as<study::ReduceStudy>() == nullptr) {
    throw InvalidInput({.function = "study " + name, .rule = "is no study with [reduce]"});
  }
  return *loaded.as<study::ReduceStudy>();
}

}  // namespace alembert::reproductions
