// SPDX-License-Identifier: MIT
#include "peer.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace foldproof::bench {

Json answer_of(const std::string& python, const std::string& script) {
  const std::string command = python + " '" FOLDPROOF_SOURCE_DIR "/properties/bench/'" + script;
  std::string output;
  if (FILE* pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    std::array<char, 4096> chunk{};
    while (fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) output += chunk.data();
    pclose(pipe);
  }
  Json answer = Json::parse(output, nullptr, false);
  return answer.is_object() ? answer : Json{{"skipped", "the script gave no answer"}};
}

double rounded(double value) { return std::strtod(std::to_string(value).c_str(), nullptr); }

}  // namespace foldproof::bench
