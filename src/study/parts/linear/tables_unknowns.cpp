#include "study/parts/linear/tables_unknowns.hpp"

namespace alembert::study {
namespace {

const TableSpec& element_table() {
  static const TableSpec table{
      .path = "model.elements.NAME",
      .help = "One element. \"ground\" is the point that does not move.",
      .keys = {{.name = "spring", .forms = kTexts, .help = "stiffness between two points"},
               {.name = "damper", .forms = kTexts, .help = "damping between two points"},
               {.name = "mass", .forms = kText, .help = "mass at a coordinate"},
               {.name = "value",
                .forms = kNumber,
                .help = "known value; without it the element is an unknown",
                .unit = "model"},
               {.name = "shares",
                .forms = kText,
                .help = "name of an element of the same kind with the same unknown value"}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"spring", "damper", "mass"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"value", "shares"}}}};
  return table;
}

}  // namespace

const TableSpec& fixed_table() {
  static const KeySpec any{
      .name = "ENTRY", .forms = kNumber, .help = "value of M11, D21, K31, ...", .unit = "model"};
  static const TableSpec table{
      .path = "model.fixed",
      .help =
          "Known entries, for example K13 = 0.0; the transposed entry follows. With ten or more "
          "coordinates write \"K1,13\".",
      .any_name = &any};
  return table;
}

const TableSpec& tied_table() {
  static const KeySpec any{.name = "ENTRY",
                           .forms = kText,
                           .help = "an entry, with a factor or not: \"K11\", \"-1 K12\""};
  static const TableSpec table{
      .path = "model.tied",
      .help = "Entries that follow another one, for example K22 = \"K11\" or K23 = \"0.5 K12\".",
      .any_name = &any};
  return table;
}

const TableSpec& elements_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "element NAME", .table = &element_table()};
  static const TableSpec table{
      .path = "model.elements",
      .help =
          "A lumped model: the values of springs, dampers and masses are the unknowns, M, D and K "
          "their sums. For example k1 = { spring = [\"q1\", \"ground\"] }.",
      .any_name = &any};
  return table;
}

}  // namespace alembert::study
