// SPDX-License-Identifier: MIT
// Completion scripts: commands first, then the options of the command; everything else is left to the shell's file names.
#include "expr/diagnostic.hpp"
#include "tool/command_line.hpp"

namespace foldproof::tool {

namespace {

std::string option_words(const CommandInfo& command) {
  std::string out;
  for (const OptionInfo& option : command.options) {
    for (const std::string& name : option.names) out += option.positional ? "" : (out.empty() ? "" : " ") + name;
  }
  return out;
}

std::string command_words(const CommandLine& line) {
  std::string out;
  for (const CommandInfo& command : line.commands) out += command.name + " ";
  return out + option_words(line.program);
}

// Between single quotes of a shell; `special` characters get a backslash besides.
std::string quoted(const std::string& text, const std::string& special = "") {
  std::string out = "'";
  for (const char c : text) {
    if (special.find(c) != std::string::npos) out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out + "'";
}

std::string bash(const CommandLine& line) {
  std::string out =
      "# bash completion for foldproof, written by `foldproof completion bash`\n"
      "_foldproof() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    words=" +
      quoted(command_words(line)) +
      "\n"
      "  elif [[ $word == -* ]]; then\n"
      "    case ${COMP_WORDS[1]} in\n";
  for (const CommandInfo& command : line.commands) out += "      " + command.name + ") words=" + quoted(option_words(command)) + " ;;\n";
  return out +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _foldproof foldproof\n";
}

std::string zsh(const CommandLine& line) {
  std::string out = "#compdef foldproof\n# zsh completion for foldproof, written by `foldproof completion zsh`\n_foldproof() {\n  local -a commands=(\n";
  for (const CommandInfo& command : line.commands) out += "    " + quoted(command.name + ":" + command.help) + "\n";
  out += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _arguments";
  for (const OptionInfo& option : line.program.options) {
    for (const std::string& name : option.names) out += " " + quoted(name);
  }
  out += "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandInfo& command : line.commands) {
    out += "    " + command.name + ")\n      _arguments";
    for (const OptionInfo& option : command.options) {
      if (option.positional) continue;
      for (const std::string& name : option.names) {
        const std::string help = quoted(option.help, "[]:\\");
        out += " \\\n        '*" + name + "['" + help + "']" + (option.takes_value ? ":value:_files" : "") + "'";
      }
    }
    out += " \\\n        '*:file:_files' ;;\n";
  }
  return out + "  esac\n}\n_foldproof \"$@\"\n";
}

std::string fish(const CommandLine& line) {
  std::string out = "# fish completion for foldproof, written by `foldproof completion fish`\n";
  const auto option_lines = [&out](const CommandInfo& command, const std::string& condition) {
    for (const OptionInfo& option : command.options) {
      if (option.positional) continue;
      out += "complete -c foldproof -n " + quoted(condition);
      for (const std::string& name : option.names) out += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
      // fish knows no '\'' inside single quotes, it writes \' there.
      std::string help;
      for (const char c : option.help) help += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      out += std::string(option.takes_value ? " -r" : "") + " -d '" + help + "'\n";
    }
  };
  for (const CommandInfo& command : line.commands) {
    std::string help;
    for (const char c : command.help) help += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    out += "complete -c foldproof -f -n __fish_use_subcommand -a " + command.name + " -d '" + help + "'\n";
  }
  option_lines(line.program, "__fish_use_subcommand");
  for (const CommandInfo& command : line.commands) option_lines(command, "__fish_seen_subcommand_from " + command.name);
  return out;
}

}  // namespace

std::string completion(const CommandLine& line, const std::string& shell) {
  if (shell == "bash") return bash(line);
  if (shell == "zsh") return zsh(line);
  if (shell == "fish") return fish(line);
  expr::fail("usage", "there is no completion for the shell `" + shell.substr(0, 40) + "`", {}, "bash, zsh or fish");
}

}  // namespace foldproof::tool
