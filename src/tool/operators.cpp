// SPDX-License-Identifier: MIT
// foldproof operators: the functions of the claim language, read off the table that the program itself uses.
#include "expr/operators.hpp"

#include <fmt/format.h>

#include <iostream>

#include "record/json.hpp"
#include "tool/command.hpp"

namespace foldproof::tool {

int operators(bool json) {
  Json list = Json::array();
  for (int id = 0; id < expr::operator_count; ++id) {
    const expr::OperatorInfo& info = expr::operator_info(id);
    if (json) {
      list.push_back({{"name", info.name}, {"rule", info.rule}, {"source", info.source}});
    } else {
      std::cout << fmt::format("{:<16}  {}{}\n", info.name, info.rule, *info.source != '\0' ? fmt::format("  [{}]", info.source) : "");
    }
  }
  if (json) std::cout << record::dump({{"schema", "foldproof-operators-1"}, {"operators", list}});
  return exit_ok;
}

}  // namespace foldproof::tool
