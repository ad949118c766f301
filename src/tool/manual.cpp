// SPDX-License-Identifier: MIT
// The manual page: what the help says, in the macros of man(7), with what holds for all commands.
#include "tool/command_line.hpp"

namespace foldproof::tool {

namespace {

// Text of a line that is no macro: roff takes backslashes, and a dot or an apostrophe at the beginning.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return (!out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" : "") + out;
}

std::string option_entry(const OptionInfo& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += names.empty() ? "" : ", ";
    names += option.positional ? "\\fI" + roff(name) + "\\fR" : "\\fB" + roff(name) + "\\fR";
  }
  if (option.takes_value && !option.positional) names += " \\fI" + roff(option.value) + "\\fR";
  std::string help = option.help;
  if (!option.fallback.empty()) help += " (default " + option.fallback + ")";
  return ".TP\n" + names + "\n" + roff(help) + "\n";
}

std::string synopsis(const CommandInfo& command) {
  std::string out = ".br\n\\fBfoldproof " + roff(command.name) + "\\fR";
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    const std::string name = "\\fI" + roff(option.names[0]) + "\\fR";
    out += option.required ? " " + name : " [" + name + "...]";
  }
  return out + " [options]\n";
}

constexpr const char* ending =
    ".SH EXIT STATUS\n"
    ".TP\n0\nas expected\n"
    ".TP\n1\nsome verdict differs from what was expected, some test failed, or two reports differ\n"
    ".TP\n2\nbad usage or bad input\n"
    ".TP\n3\nsomething that was expected to be decided is undecided, or tensors were given and nothing could be compared\n"
    ".TP\n130\ninterrupted; what was finished is reported\n"
    ".SH ENVIRONMENT\n"
    ".TP\nNO_COLOR\nno colours, on a terminal too\n"
    ".TP\nSOURCE_DATE_EPOCH\ntaken for the present time in reports\n"
    ".TP\nGITHUB_STEP_SUMMARY\na file that \\fBfoldproof check\\fR appends its summary to\n"
    ".SH SEE ALSO\n"
    "\\fBfoldproof\\-verify\\fR, the independent checker of certificates: \\fBfoldproof\\-verify\\fR \\fICERTIFICATE\\fR...\n";

}  // namespace

std::string manual(const CommandLine& line, const std::string& version) {
  std::string out = ".TH FOLDPROOF 1 \"\" \"foldproof " + version + "\" \"User Commands\"\n";
  out += ".SH NAME\nfoldproof \\- proves or refutes rewrites of attention, and tests them as programs\n.SH SYNOPSIS\n\\fBfoldproof\\fR \\fICOMMAND\\fR ...\n";
  for (const CommandInfo& command : line.commands) out += synopsis(command);
  out += ".SH OPTIONS\n";
  for (const OptionInfo& option : line.program.options) out += option_entry(option);
  out += ".SH COMMANDS\n";
  for (const CommandInfo& command : line.commands) {
    out += ".SS " + roff(command.name) + "\n" + roff(command.help) + ".\n";
    for (const OptionInfo& option : command.options) out += option_entry(option);
  }
  return out + ending;
}

}  // namespace foldproof::tool
