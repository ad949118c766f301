// SPDX-License-Identifier: MIT
// foldproof merge: the reports of the shards of one run become the report of the whole.
#include "run/merge.hpp"

#include <iostream>

#include "record/document.hpp"
#include "record/files.hpp"
#include "tool/command.hpp"
#include "tool/summary.hpp"

namespace foldproof::tool {

int merge(const MergeArguments& arguments) {
  std::vector<run::NamedReport> reports;
  for (const std::string& path : arguments.reports) {
    const record::Document located(record::read_file(path), path);  // for the place of what is no JSON
    reports.push_back({path, Json::parse(located.text())});
  }
  const run::Merged merged = run::merged(reports, arguments.partial);
  write_reports(arguments.out, merged.report);
  print_summary(merged.entries, merged.report, arguments.out);
  const auto& failing = merged.report.at("regressions").at("failing");
  for (const auto& id : failing) std::cerr << "REGRESSION  " << id.get<std::string>() << "\n";
  const run::Counts counts = run::count(merged.entries);
  const int status = run::exit_status(counts);
  return status == exit_ok && !failing.empty() ? exit_differs : status;
}

}  // namespace foldproof::tool
