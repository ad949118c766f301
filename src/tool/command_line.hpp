// SPDX-License-Identifier: MIT
// The command line as data, read off the parser that reads it: what completion scripts and the manual page are written from.
#pragma once

#include <string>
#include <vector>

namespace foldproof::tool {

struct OptionInfo {
  std::vector<std::string> names;  ///< "-e", "--expression"; of a positional argument its one name, "FILE"
  bool positional = false;
  bool takes_value = false;
  bool required = false;
  std::string value;  ///< kind of the value in the help, such as "TEXT" or "UINT"
  std::string help;
  std::string fallback;  ///< the value when the option is not given, as text; empty when there is none
};

struct CommandInfo {
  std::string name;
  std::string help;
  std::vector<OptionInfo> options;
};

struct CommandLine {
  CommandInfo program;  ///< options of foldproof itself
  std::vector<CommandInfo> commands;
};

/// The completion script for a shell. Errors: `usage` for a shell that is not bash, zsh or fish.
std::string completion(const CommandLine& line, const std::string& shell);
/// The manual page foldproof(1), in the macros of man(7).
std::string manual(const CommandLine& line, const std::string& version);

}  // namespace foldproof::tool
