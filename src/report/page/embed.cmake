# Writes OUTPUT, a C++ source that holds the files of FILES (a list "name=path;...") as constants:
# std::string_view alembert::report::asset::name().
# Used as: cmake -DOUTPUT=... "-DFILES=..." -P embed.cmake
set(source "#include \"report/page/assets.hpp\"\n\nnamespace alembert::report::asset {\nnamespace {\n")
set(functions "")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${entry}")
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  # figure_js -> FigureJs
  string(REPLACE "_" ";" words "${name}")
  set(constant "")
  foreach(word IN LISTS words)
    string(SUBSTRING "${word}" 0 1 letter)
    string(TOUPPER "${letter}" letter)
    string(SUBSTRING "${word}" 1 -1 rest)
    string(APPEND constant "${letter}${rest}")
  endforeach()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  # Lines of 20 bytes, so that editors and compilers' messages stay usable.
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
         "\\1\n" bytes "${bytes}")
  string(APPEND source "constexpr unsigned char k${constant}[] = {\n${bytes}};\n")
  string(APPEND functions "std::string_view ${name}() {\n"
         "  return {reinterpret_cast<const char*>(k${constant}), sizeof k${constant}};\n}\n")
endforeach()
string(APPEND source "}  // namespace\n\n${functions}\n}  // namespace alembert::report::asset\n")
file(WRITE "${OUTPUT}" "${source}")
