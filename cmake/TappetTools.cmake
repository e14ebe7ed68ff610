# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# Uses a compiler cache and a fast linker if they are installed and nothing else was asked for.
find_program(TAPPET_CCACHE ccache)
if(TAPPET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this ccache stores nothing that was compiled with a precompiled header.
  set(tappet_launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TAPPET_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${tappet_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${tappet_launcher})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
find_program(TAPPET_MOLD mold)
if(TAPPET_MOLD AND NOT "${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-fuse-ld")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold TAPPET_LINKER_MOLD)
  if(TAPPET_LINKER_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
