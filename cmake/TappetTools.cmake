# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# A compiler cache and a fast linker, where they are installed and nothing else was asked for.
find_program(TAPPET_CCACHE ccache)
if(TAPPET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${TAPPET_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TAPPET_CCACHE})
endif()
find_program(TAPPET_MOLD mold)
if(TAPPET_MOLD AND NOT "${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-fuse-ld")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold TAPPET_LINKER_MOLD)
  if(TAPPET_LINKER_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
