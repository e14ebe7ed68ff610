# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# The files of src/batch/device as a source file of `target`: their texts, by name. They are compiled when a batch runs,
# together with the code of its model (src/batch/device_text.h).
function(tappet_device_text target)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/batch/device/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(code "#include \"batch/device_text.h\"\nnamespace tappet {\nstd::string_view device_text(std::string_view name) {\n")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(REPLACE "#pragma once\n" "" text "${text}")
    string(APPEND code "  if (name == \"${name}\") return R\"text(${text})text\";\n")
  endforeach()
  string(APPEND code "  return {};\n}\n}\n")
  set(source ${CMAKE_BINARY_DIR}/device_text.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${code}" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()
