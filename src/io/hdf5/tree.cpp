#include "alembert/io/detail/tree.hpp"

#include <algorithm>

#include "io/file/file_content.hpp"
#include "io/hdf5/layout.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/writer.hpp"

namespace alembert::io {

namespace {

using hdf5::Handle;

// A link must not hold a slash or a zero byte, nor be "." or empty.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  return name.empty() || name == "." || name == ".." ? "_" : name;
}

bool all_texts(const TreeValue::List& list) {
  return !list.empty() && std::all_of(list.begin(), list.end(), [](const TreeValue& item) {
    return std::holds_alternative<std::string>(item.value);
  });
}

// Writes one value under a name and returns its handle.
struct HdfTreeWriter {
  const hdf5::Writer& writer;
  const Handle& where;
  std::string name;

  Handle operator()(std::monostate) const { return writer.nothing(where, name); }
  Handle operator()(bool value) const { return writer.truth(where, name, value); }
  Handle operator()(std::int64_t value) const {
    return writer.single(where, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
  }
  Handle operator()(double value) const {
    return writer.single(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
  }
  Handle operator()(const std::string& text) const { return writer.texts(where, name, {}, {text}); }
  Handle operator()(const Eigen::VectorXd& values) const {
    return writer.data_set(where, name, {static_cast<hsize_t>(values.size())}, values.data());
  }
  Handle operator()(const Eigen::MatrixXd& values) const {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = values;
    return writer.data_set(
        where, name, {static_cast<hsize_t>(values.rows()), static_cast<hsize_t>(values.cols())},
        rows.data());
  }
  Handle operator()(const TreeValue::List& list) const {
    return all_texts(list) ? texts(list) : items(list);
  }
  Handle operator()(const TreeValue::Group& entries) const {
    Handle group = writer.group(where, name);
    write_entries(writer, group, entries);
    return group;
  }

  static void write_entries(const hdf5::Writer& writer, const Handle& group,
                            const TreeValue::Group& entries) {
    for (const TreeField& entry : entries) write_value(writer, group, entry.name, entry.value);
  }

 private:
  static void write_value(const hdf5::Writer& writer, const Handle& group, const std::string& name,
                          const TreeValue& value) {
    const Handle made = std::visit(HdfTreeWriter{writer, group, link_name(name)}, value.value);
    if (!value.unit.empty()) writer.attribute(made, hdf5::kUnit, value.unit);
  }

  [[nodiscard]] Handle texts(const TreeValue::List& list) const {
    std::vector<std::string> values;
    values.reserve(list.size());
    for (const TreeValue& item : list) values.push_back(std::get<std::string>(item.value));
    return writer.texts(where, name, {static_cast<hsize_t>(values.size())}, values);
  }

  [[nodiscard]] Handle items(const TreeValue::List& list) const {
    Handle group = writer.group(where, name);
    writer.attribute(group, "length", static_cast<long long>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      write_value(writer, group, std::to_string(i + 1), list[i]);
    }
    return group;
  }
};

}  // namespace

void write_hdf5_tree(const std::filesystem::path& file, const TreeValue::Group& entries) {
  const hdf5::Session session;
  replace_file(file, [&](const std::filesystem::path& part) {
    hdf5::Writer writer(file, part, {});
    {
      const Handle root(H5Gopen2(writer.file().id(), "/", H5P_DEFAULT), H5Gclose);
      HdfTreeWriter::write_entries(writer, root, entries);
    }
    writer.close();
  });
}

}  // namespace alembert::io
