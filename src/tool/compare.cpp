// SPDX-License-Identifier: MIT
// foldproof compare: what changed between two reports. Exit status: 0 the same, 1 different, 2 trouble.
#include "run/compare.hpp"

#include <iostream>

#include "report/compare_text.hpp"
#include "tool/command.hpp"

namespace foldproof::tool {

int compare(const CompareArguments& arguments) {
  const Json comparison = run::compare(run::read_report(arguments.before), run::read_report(arguments.after));
  if (arguments.json) {
    std::cout << record::dump(comparison);
  } else {
    std::cout << (arguments.markdown ? report::comparison_markdown(comparison) : report::comparison_text(comparison));
  }
  return comparison["same"] == true ? exit_ok : exit_differs;
}

}  // namespace foldproof::tool
