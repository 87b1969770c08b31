# tdls_test(NAME <name> PATHS <path>... [OPTIONS <option>...])
#
# Adds a test that checks files and folders with tdls: scripts of MLIR's Transform dialect. Relative paths count from
# the source directory of the caller; OPTIONS are further options of `tdls check`. The program is looked for on the
# search path; -DTDLS_EXECUTABLE=/path/to/tdls names another one.

include_guard(GLOBAL)

find_program(TDLS_EXECUTABLE tdls DOC "The program that tdls_test() runs")

function(tdls_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "PATHS;OPTIONS")
  if(NOT arg_NAME OR NOT arg_PATHS OR DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tdls_test: expected NAME <name> PATHS <path>... [OPTIONS <option>...]")
  endif()
  if(NOT TDLS_EXECUTABLE)
    message(FATAL_ERROR "tdls_test(${arg_NAME}): there is no program tdls; install it or set TDLS_EXECUTABLE")
  endif()
  add_test(
    NAME "${arg_NAME}"
    COMMAND "${TDLS_EXECUTABLE}" check ${arg_OPTIONS} ${arg_PATHS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
  )
endfunction()
