#include <fmt/format.h>

#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/detail/structure_template.hpp"
#include "alembert/study/detail/template.hpp"
#include "commands.hpp"
#include "terminal/terminal.hpp"
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

// Whether each record of a file is an experiment of its own for this kind of study.
bool takes_experiments(const std::string& kind) {
  return kind == "identify" || kind == "output-error" || kind == "acceleration" ||
         kind == "modes" || kind == "frf";
}

// The first record, where the study takes the others as it does that one.
study::TemplateData read_data(const NewArguments& arguments, std::size_t& count) {
  const DataArguments& data = arguments.data;
  const io::ReadOptions options{.time = data.time,
                                .step = data.step,
                                .channels = data.channels,
                                .dataset = data.dataset,
                                .limits = {.memory = bytes_of(data.memory)}};
  study::TemplateData made{.file = data_name(arguments),
                           .time = data.time,
                           .step = data.step,
                           .dataset = data.dataset,
                           .record = {}};
  if (takes_experiments(arguments.kind)) {
    signal::Records records = io::read_records(data.file, options);
    count = records.size();
    if (count > 0) made.record = std::move(records.front());
  } else {
    made.record = io::read_record(data.file, options);
  }
  return made;
}

void refuse_to_overwrite(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    throw DataError({.file = file.string()}, "exists already; choose another name");
  }
}

}  // namespace

int new_command(const NewArguments& arguments, Session& session) {
  const bool with_data = !arguments.data.file.empty();
  // The kind is checked before a large file is read.
  std::string text = study::study_template(arguments.kind);
  std::size_t count = 1;
  if (with_data && arguments.kind == "reduce") {
    text = study::structure_template(arguments.data.file, data_name(arguments),
                                     {.memory = bytes_of(arguments.data.memory)});
  } else if (with_data) {
    text = study::study_template(arguments.kind, read_data(arguments, count));
  }
  const std::optional<signal::Record> record =
      with_data || arguments.out.empty() ? std::nullopt : study::template_record(arguments.kind);
  const std::filesystem::path record_file =
      std::filesystem::path(arguments.out).replace_extension(".csv");
  if (record) {
    text = study::study_template(
        arguments.kind,
        study::TemplateData{.file = record_file.filename().string(), .record = *record});
  }
  if (arguments.out.empty()) {
    say("{}", text);
    return kDone;
  }
  refuse_to_overwrite(arguments.out);
  if (record) {
    refuse_to_overwrite(record_file);
    io::write_record(record_file, *record);
  }
  write_text(text, arguments.out);
  if (session.speaks()) {
    say("wrote {}{}\n", arguments.out.string(), record ? " and " + record_file.string() : "");
    if (count > 1) say("the file holds {} records; each is an experiment of the study\n", count);
  }
  return kDone;
}

}  // namespace alembert::app
