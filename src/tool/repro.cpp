// SPDX-License-Identifier: MIT
// foldproof repro: runs the command of a report again and compares. Exit status: 0 the same, 1 different, 2 trouble.
// A report comes from somebody else: only `foldproof check` is run, and it writes nothing but its reports, into a folder of our own.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "record/files.hpp"
#include "record/words.hpp"
#include "report/compare_text.hpp"
#include "run/compare.hpp"
#include "tool/command.hpp"

namespace foldproof::tool {

namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "foldproof-repro-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) expr::fail("io.write", name + ": cannot be made", {});
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What the run read must be here. Changed files are told at once: then the results will differ, and this is why.
void look_at_inputs(const Json& report) {
  for (const Json& file : report.at("inputs")) {
    const auto path = file.at("path").get<std::string>();
    if (!fs::exists(path))
      expr::fail("repro.input", path + ": this input of the report is not here", {},
                 "run it where the report was made: " + report.at("volatile").at("directory").get<std::string>());
    if (described(path).sha256 != file.at("sha256")) std::cerr << "note: " << path << " is not the file that the report is about\n";
  }
}

}  // namespace

int repro(const ReproArguments& arguments, const std::function<CheckArguments(const std::vector<std::string>&)>& parse) {
  const Json before = run::read_report(arguments.report);
  std::vector<std::string> command;
  try {
    command = before.at("command").get<std::vector<std::string>>();
    look_at_inputs(before);
  } catch (const Json::exception& e) {
    expr::fail("report.kind", arguments.report + ": the report is damaged: " + e.what(), {});
  }
  if (command.size() < 2 || command[1] != "check") expr::fail("repro.command", arguments.report + ": its command is not `foldproof check`", {});
  std::string words;
  for (const std::string& word : command) words += (words.empty() ? "" : " ") + record::shell_quoted(word);
  std::cerr << "running again: " << record::one_line(words, 1000) << "\n";

  const TemporaryFolder folder;
  CheckArguments again = parse(command);
  again.out = arguments.out.empty() ? folder.path().string() : arguments.out;
  again.threads = arguments.threads;
  again.rehearsal = true;
  const int status = check(again);
  if (status == exit_interrupted) return status;
  const Json after = run::read_report((fs::path(again.out) / "report.json").string());
  const Json comparison = run::compare(before, after);
  std::cout << report::comparison_text(comparison);
  const bool same_status = before.at("exit_status") == after.at("exit_status");
  if (!same_status) std::cout << "exit status " << before.at("exit_status") << " -> " << after.at("exit_status") << "\n";
  return comparison["same"] == true && same_status ? exit_ok : exit_differs;
}

}  // namespace foldproof::tool
