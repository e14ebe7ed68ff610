# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# bench/check.sh: CHECK is the script, SCRATCH a folder.
file(MAKE_DIRECTORY ${SCRATCH})
file(WRITE ${SCRATCH}/baseline.json
  "{\n  \"compiler\": \"any 12\",\n  \"instructions\": {\n    \"step/a\": 1000,\n    \"step/b\": 20000\n  }\n}\n")

function(expect what counts code text)
  file(WRITE ${SCRATCH}/counts ${counts})
  execute_process(COMMAND ${CHECK} ${SCRATCH}/baseline.json ${SCRATCH}/counts
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL ${code} OR NOT output MATCHES "${text}")
    message(FATAL_ERROR "${what}: exit ${result}, expected ${code}; said '${output}', expected '${text}'")
  endif()
endfunction()

expect("unchanged" "step/a 1000\nstep/b 20000\n" 0 "2 entries within 10 %")
expect("a change of 9 %" "step/a 1090\nstep/b 18200\n" 0 "2 entries")
expect("a planted change of 11 %" "step/a 1000\nstep/b 22200\n" 1 "step/b: 22200 instructions, baseline 20000 .\\+11.0 %")
expect("a gain of 11 %" "step/a 890\nstep/b 20000\n" 1 "step/a: 890 instructions, baseline 1000 .-11.0 %")
expect("an entry that is gone" "step/a 1000\n" 1 "step/b: in the baseline, not measured")
expect("a new entry" "step/a 1000\nstep/b 20000\nstep/c 5\n" 1 "step/c: not in the baseline")
expect("nothing measured" "" 1 "not measured")
