// SPDX-License-Identifier: MIT
#include "tool/summary.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "read/statements.hpp"
#include "record/files.hpp"
#include "record/words.hpp"
#include "report/html.hpp"
#include "report/junit.hpp"
#include "report/markdown.hpp"
#include "report/tests_text.hpp"

namespace foldproof::tool {

namespace {

void print_given(const Json& claim) {
  const Json& tests = claim.at("tests");
  std::cout << claim.at("verdict").get<std::string>() << "  " << claim.at("id").get<std::string>() << "  " << read::claim_line(claim.at("statement").get<std::string>(), 200) << "\n";
  for (const Json& f : tests.value("formats", Json::array())) {
    const auto count = [&f](const char* key) { return f.at(key).get<std::int64_t>(); };
    const std::string role = report::role_text(tests, f);
    std::cout << fmt::format("    {:<11} {:>4} cases, {}{}{}{}{}\n", f.at("format").get<std::string>(), count("cases"), count("compared") > 0 ? "worst |L-R|/bound " : "",
                             report::ratio_text(f, 3), count("suspicious") > 0 ? fmt::format(", {} suspicious", count("suspicious")) : "",
                             count("beyond") > 0 ? fmt::format(", {} beyond the bound", count("beyond")) : "", role.empty() ? "" : "; " + role);
  }
  if (const std::string left_out = report::left_out_text(tests); !left_out.empty()) std::cout << "    " << left_out << "\n";
  if (const std::string why = run::untested(claim); !why.empty()) std::cout << "    not tested: " << why << "\n";
}

void print_failure(const run::Entry& entry) {
  const Json& claim = entry.record;
  const run::Standing standing = run::standing(entry);
  const bool too_few = claim.at("tests").is_object() && claim.at("tests").contains("too_few_cases");
  if (standing.as_expected && !standing.test_failed && !too_few) return;
  const auto id = claim.at("id").get<std::string>();
  std::cout.flush();
  if (too_few) std::cerr << "NOT TESTED  " << id << ": " << run::untested(claim) << "\n";
  if (!standing.as_expected) {
    std::cerr << fmt::format("DIFFERS  {}: {}, expected {}\n", id, standing.verdict, claim.at("expect").get<std::string>());
    const auto detail = claim.at("detail").get<std::string>();
    if (entry.complaint.empty() && !detail.empty()) std::cerr << "  " << detail << "\n";
  }
  std::cerr << entry.complaint;
  if (!standing.test_failed) return;
  std::cerr << "FAILED   " << id << ": the test campaign: " << report::failure_reason(claim) << "\n";
  const Json& failure = claim.at("tests").at("failure");
  if (failure.is_null()) return;
  const auto word = [&failure](const char* key) { return failure.at(key).get<std::string>(); };
  std::cerr << "  smallest case: " << word("lane") << ", lhs " << word("lhs") << ", rhs " << word("rhs") << "\n";
  const auto file = claim.at("file").get<std::string>();
  const bool usual = file.rfind("fixtures/claims/", 0) == 0;
  std::cerr << "  again: foldproof replay " << record::shell_quoted(word("token")) << (usual ? "" : " --claims " + record::shell_quoted(file)) << "\n";
}

}  // namespace

void print_summary(const run::Entries& entries, const Json& report, const std::filesystem::path& folder) {
  for (const auto& entry : entries) {
    if (!entry) continue;
    print_failure(*entry);
    const Json& tests = entry->record.at("tests");
    if (!tests.is_object() || !tests.contains("bound")) continue;
    print_given(entry->record);
  }
  const run::Counts c = run::count(entries);
  std::cout << fmt::format("{} claims: {} proved, {} refuted, {} undecided, {} invalid; {} as expected, {} differing", c.claims, c.proved, c.refuted,
                           c.undecided, c.invalid, c.as_expected, c.differing);
  if (c.skipped > 0) std::cout << fmt::format(", {} not decided", c.skipped);
  std::cout << fmt::format("; {} tested, {} failed{}\n", c.tested, c.tests_failed, c.untested > 0 ? fmt::format(", {} not tested", c.untested) : "");
  if (const std::string bugs = report::bugs_line(report["bugs"]); !bugs.empty()) std::cout << bugs << "\n";
  for (const Json& name : report["bugs"]["survivors"]) std::cout << "  survived: " << name.get<std::string>() << "\n";
  std::cout << "exact digest " << report["digests"]["exact"].get<std::string>() << "\n";
  std::cout << "wrote " << (folder / "report.json").string() << ", report.html, report.md, junit.xml\n";
}

void append_job_summary(const Json& report) {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (path == nullptr || *path == '\0') return;
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << report::job_summary(report);
  out.flush();
  if (!out) std::cerr << "foldproof: warning: the job summary could not be written to " << path << "\n";
}

void write_reports(const std::filesystem::path& folder, const Json& report, std::vector<report::QuestionCard> questions) {
  report::add_verdicts(questions, report["claims"]);
  record::write_atomically(folder / "report.html", report::html(report, questions));
  record::write_atomically(folder / "report.md", report::markdown(report));
  record::write_atomically(folder / "junit.xml", report::junit(report));
  record::write_atomically(folder / "report.json", record::dump(report));
}

}  // namespace foldproof::tool
