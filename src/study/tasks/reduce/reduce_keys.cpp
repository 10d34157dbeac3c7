#include "study/tasks/reduce/reduce_keys.hpp"

#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

using model::BlockGrid;
using model::Material;
using model::MeshProperties;
using model::PlateGrid;
using reduce::ReduceOptions;

template <typename Grid>
void add_material_keys(BoundKeys<Grid>& keys) {
  keys.key("density", field_of(&Grid::material, &Material::density),
           {.help = "of the material", .unit = "kg/m3", .range = above(0.0)})
      .key("young", field_of(&Grid::material, &Material::young),
           {.help = "Young's modulus", .unit = "Pa", .range = above(0.0)})
      .key("poisson", field_of(&Grid::material, &Material::poisson),
           {.help = "Poisson's ratio", .range = within(-0.99, 0.499)});
}

const TableSpec& plate_table() {
  static const TableSpec table{
      .path = "structure.plate",
      .help = "A plate in the x-y plane, of quadrilaterals between grid lines.",
      .keys = plate_keys().specs(),
      .model = kForStructures};
  return table;
}

const TableSpec& block_table() {
  static const TableSpec table{.path = "structure.block",
                               .help = "A block of bricks with eight nodes between grid planes.",
                               .keys = block_keys().specs(),
                               .model = kForStructures};
  return table;
}

const TableSpec& mesh_table() {
  static const TableSpec table{
      .path = "structure.mesh",
      .help =
          "A mesh of another program: Gmsh (.msh, 2.2 or 4.1 as text), Abaqus or CalculiX (.inp).",
      .keys = mesh_keys().specs(),
      .model = kForStructures};
  return table;
}

// Which rows are meant.
const TableSpec& selection_table() {
  static const TableSpec table{
      .path = "reduce.masters",
      .help =
          "Rows of the structure, by row numbers, by nodes, by a box around nodes, or by a "
          "named set of nodes.",
      .keys = {{.name = "rows", .forms = kNumbers, .help = "row numbers, from 1"},
               {.name = "nodes", .forms = kNumbers, .help = "node numbers"},
               {.name = "box",
                .forms = kNumbers,
                .help = "x, y, z of one corner, then of the opposite one: all nodes inside",
                .unit = "m",
                .size = 6},
               {.name = "set",
                .forms = kText,
                .help = "a set of nodes by its name: of a mesh, a physical group or *NSET"},
               {.name = "directions",
                .forms = kTexts,
                .help = "x, y, z, rx, ry, rz",
                .fallback_note = "all that the nodes have"}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"rows", "nodes", "box", "set"}}},
      .model = kForStructures};
  return table;
}

const TableSpec& force_set_table() {
  static const TableSpec table{
      .path = "reduce.forces",
      .help = "A harmonic force on the masters whose response must be right.",
      .keys = {{.name = "frequency",
                .forms = kNumber,
                .help = "of the force",
                .unit = "Hz",
                .range = above(0.0),
                .required = true},
               {.name = "amplitude",
                .forms = kNumber | kNumbers,
                .help = "on each master, or one for all",
                .unit = "N",
                .fallback = "1.0"},
               {.name = "phase",
                .forms = kNumber | kNumbers,
                .help = "of each master, or one for all",
                .unit = "rad",
                .fallback = "0.0"}},
      .model = kForStructures};
  return table;
}

KeySpec matrix_file_key(const char* name, const char* help) {
  return {.name = name, .forms = kText, .help = help};
}

const TableSpec& structure_table() {
  static const TableSpec table{
      .path = "structure",
      .help =
          "A large structure: its matrices from files, or a mesh of our own elements, see "
          "reduce.md.",
      .keys =
          {matrix_file_key(
               "mass",
               "matrix M: .mtx .mat .csv .h5, or of Harwell-Boeing, CalculiX, Abaqus or "
               "Nastran: .hb .sti .mas .mtx .pch .op4"),
           matrix_file_key("stiffness", "matrix K, of the same form"),
           {.name = "damping",
            .forms = kText,
            .help = "matrix D, of the same form",
            .fallback_note = "none"},
           {.name = "matrices",
            .forms = kTexts,
            .help = "names of M, K and D in files of Nastran that hold several",
            .fallback_note = "the only one of each file"},
           {.name = "nodes",
            .forms = kText,
            .help = "table without header, a line for each row of K: node number, direction "
                    "(1 to 6: x, y, z, rx, ry, rz), then x, y, z in m",
            .fallback_note = "rows have numbers only"},
           {.name = "plate",
            .forms = kTable,
            .help = "a plate of quadrilaterals",
            .table = &plate_table()},
           {.name = "block", .forms = kTable, .help = "a block of bricks", .table = &block_table()},
           {.name = "mesh",
            .forms = kTable,
            .help = "a mesh of another program",
            .table = &mesh_table()},
           {.name = "fixed",
            .forms = kTables,
            .help = "what does not move, of a plate, block or mesh; keys as those of "
                    "reduce.masters",
            .fallback_note = "nothing: the structure is free",
            .table = &selection_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"mass", "plate", "block", "mesh"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"mass", "stiffness"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"stiffness", "mass"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"damping", "mass"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"matrices", "mass"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"nodes", "mass"}}},
      .model = kForStructures};
  return table;
}

const TableSpec& reduce_table() {
  static const TableSpec table{
      .path = "reduce",
      .help = "A small model of the structure that is right where it matters, see reduce.md.",
      .keys = reduce_keys().specs(),
      .rules = {{.kind = KeyRule::Kind::AtLeastOne, .keys = {"modes", "forces"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"weights", "modes"}}},
      .model = kForStructures};
  return table;
}

}  // namespace

const BoundKeys<PlateGrid>& plate_keys() {
  static const BoundKeys<PlateGrid> keys = [] {
    BoundKeys<PlateGrid> list;
    list.key("x", &PlateGrid::x, {.help = "grid lines, rising", .unit = "m", .required = true})
        .key("y", &PlateGrid::y, {.help = "grid lines, rising", .unit = "m", .required = true})
        .other({.name = "cutouts",
                .forms = kRows,
                .help = "rows of x0, y0, x1, y1: elements whose middle lies inside are left out",
                .unit = "m",
                .fallback_note = "none"})
        .key("thickness", &PlateGrid::thickness,
             {.help = "of the plate", .unit = "m", .range = above(0.0)})
        .key("state", &PlateGrid::state,
             {.help = "plane-stress for thin, plane-strain for thick plates"});
    add_material_keys(list);
    return list;
  }();
  return keys;
}

const BoundKeys<BlockGrid>& block_keys() {
  static const BoundKeys<BlockGrid> keys = [] {
    BoundKeys<BlockGrid> list;
    list.key("x", &BlockGrid::x, {.help = "grid planes, rising", .unit = "m", .required = true})
        .key("y", &BlockGrid::y, {.help = "grid planes, rising", .unit = "m", .required = true})
        .key("z", &BlockGrid::z, {.help = "grid planes, rising", .unit = "m", .required = true})
        .other({.name = "cutouts",
                .forms = kRows,
                .help = "rows of x0, y0, z0, x1, y1, z1: elements whose middle lies inside are "
                        "left out",
                .unit = "m",
                .fallback_note = "none"})
        .key("incompatible-modes", &BlockGrid::incompatible_modes,
             {.help = "extra modes inside each brick that let it bend"});
    add_material_keys(list);
    return list;
  }();
  return keys;
}

const BoundKeys<MeshProperties>& mesh_keys() {
  static const BoundKeys<MeshProperties> keys = [] {
    BoundKeys<MeshProperties> list;
    list.other({.name = "file", .forms = kText, .help = "mesh: .msh or .inp", .required = true})
        .key("scale", &MeshProperties::scale,
             {.help = "m per unit of the mesh: 0.001 for millimetres", .range = above(0.0)})
        .key("thickness", &MeshProperties::thickness,
             {.help = "of quadrilaterals", .unit = "m", .range = above(0.0)})
        .key("state", &MeshProperties::state,
             {.help = "of quadrilaterals: plane-stress for thin, plane-strain for thick plates"})
        .key("incompatible-modes", &MeshProperties::incompatible_modes,
             {.help = "extra modes inside each brick that let it bend"});
    add_material_keys(list);
    return list;
  }();
  return keys;
}

const BoundKeys<ReduceOptions>& reduce_keys() {
  static const BoundKeys<ReduceOptions> keys =
      BoundKeys<ReduceOptions>()
          .key("method", &ReduceOptions::method,
               {.help = "auto takes the smallest basis that meets the wanted accuracy"})
          .other({.name = "masters",
                  .forms = kTables,
                  .help = "coordinates that stay as they are, where forces act and other parts "
                          "are joined",
                  .required = true,
                  .table = &selection_table()})
          .key("modes", &ReduceOptions::modes,
               {.help = "numbers of the modes that must be right, from 1; rigid-body modes count",
                .range = at_least(1.0),
                .fallback_note = "none"})
          .key("weights", &ReduceOptions::weights,
               {.help = "of these modes in mode-ranking",
                .range = above(0.0),
                .fallback_note = "equal"})
          .other({.name = "forces",
                  .forms = kTables,
                  .help = "harmonic forces whose response must be right",
                  .fallback_note = "none",
                  .table = &force_set_table()})
          .key("frequency-error", &ReduceOptions::frequency_error,
               {.help = "wanted of each mode, relative, at most", .range = within(1e-12, 1.0)})
          .key("nco", &ReduceOptions::nco,
               {.help = "normalised cross orthogonality wanted of each mode, at least",
                .range = within(0.0, 1.0)})
          .key("mac", &ReduceOptions::mac,
               {.help = "wanted of each forced response, at least", .range = within(0.0, 1.0)})
          .key("gain-error", &ReduceOptions::gain_error,
               {.help = "wanted of each forced response, relative, at most",
                .range = within(1e-12, 1.0)})
          .key("off-design", &ReduceOptions::off_design,
               {.help = "forced responses are also judged this part above and below; 0: not",
                .range = within(0.0, 0.9)})
          .key("size", &ReduceOptions::size,
               {.help = "of the small model; 0: the smallest that meets the accuracy",
                .range = at_least(0.0)})
          .key("largest", &ReduceOptions::largest,
               {.help = "size at which the search ends; 0: 60 more than the masters",
                .range = at_least(0.0)})
          .key("candidates", &ReduceOptions::candidates,
               {.help = "interior modes that are ranked; 0: all up to 1500 rows, else the lowest "
                        "200",
                .range = at_least(0.0)});
  return keys;
}

const TableSpec& reduce_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study of a large structure.",
                               .keys = {title_key(),
                                        author_key(),
                                        customer_key(),
                                        {.name = "structure",
                                         .forms = kTable,
                                         .help = "what moves",
                                         .required = true,
                                         .table = &structure_table()},
                                        {.name = "reduce",
                                         .forms = kTable,
                                         .help = "task: a small model of a structure",
                                         .required = true,
                                         .table = &reduce_table()}},
                               .model = kForStructures};
  return table;
}

}  // namespace alembert::study
