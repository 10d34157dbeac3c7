#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/template.hpp"
#include "commands.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

// The name by which the study finds the data: relative to the folder where the study will stand.
std::string data_name(const NewArguments& arguments) {
  const std::filesystem::path folder =
      arguments.out.has_parent_path() ? arguments.out.parent_path() : std::filesystem::path(".");
  std::error_code error;
  const std::filesystem::path relative =
      std::filesystem::relative(arguments.data.file, folder, error);
  return error || relative.empty() ? std::filesystem::absolute(arguments.data.file).string()
                                   : relative.generic_string();
}

study::TemplateData read_data(const NewArguments& arguments) {
  const DataArguments& data = arguments.data;
  return {.file = data_name(arguments),
          .time = data.time,
          .step = data.step,
          .dataset = data.dataset,
          .record = io::read_record(data.file, {.time = data.time,
                                                .step = data.step,
                                                .channels = data.channels,
                                                .dataset = data.dataset})};
}

}  // namespace

int new_command(const NewArguments& arguments, Session& session) {
  const bool with_data = !arguments.data.file.empty();
  // The kind is checked before a large file is read.
  std::string text = study::study_template(arguments.kind);
  if (with_data) {
    text = study::study_template(arguments.kind, read_data(arguments));
  }
  if (arguments.out.empty()) {
    fmt::print("{}", text);
    return kDone;
  }
  if (std::filesystem::exists(arguments.out)) {
    throw DataError({.file = arguments.out.string()}, "exists already; choose another name");
  }
  write_text(text, arguments.out);
  if (session.speaks()) {
    fmt::print("wrote {}\n", arguments.out.string());
  }
  return kDone;
}

}  // namespace alembert::app
