# Writes OUTPUT, a C++ source with the text of the studies NAMES (a list "folder/file.toml;...") of FOLDER.
# Used as: cmake -DOUTPUT=... -DFOLDER=... "-DNAMES=..." -P embed_studies.cmake
set(source "#include \"reproductions/embedded_studies.hpp\"\n\nnamespace alembert::reproductions {\nnamespace {\n\n")
string(APPEND source "constexpr EmbeddedStudy kStudies[] = {\n")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}" text)
  string(APPEND source "{\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
string(APPEND source "};\n\n}  // namespace\n\n"
       "std::span<const EmbeddedStudy> embedded_studies() { return kStudies; }\n\n"
       "}  // namespace alembert::reproductions\n")
file(WRITE "${OUTPUT}" "${source}")
