// SPDX-License-Identifier: MIT
// Replays every file of the corpus through its target, and deterministic mutations of it: bytes flipped, cut, doubled, spliced
// with another file, and for certificates steps changed. Prints how many inputs were accepted; exit status 1 for a finding.
// Usage: fuzz_replay CORPUS [MUTATIONS]; a finding is written to standard error as it is.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "expr/large_stack.hpp"
#include "fuzz/targets.hpp"
#include "properties_random.hpp"

namespace {

using foldproof::properties::Dice;
using foldproof::properties::hashed;
namespace fuzz = foldproof::properties::fuzz;

std::vector<std::string> read_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> contents;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return contents;
}

/// One to four changes of bytes.
std::string mutated(std::string text, const std::vector<std::string>& corpus, Dice& dice) {
  static constexpr std::string_view words[] = {"==", "@", ".T", "**", "//", "%", "[", "]", "(", ")", ":", ";", "\n", "\"", "\\u0000", "{", "}", ",", "-", "0", "9223372036854775807", "1e999", "-1",
                                               "softmax(", "concat(", " for i in range(h)", "assume ", "let ", "inv(", "n", "1", "\xff", "# "};
  for (std::size_t count = 1 + dice.roll(4); count > 0; --count) {
    const std::size_t at = dice.roll(text.size() + 1), length = std::min(text.size() - at, 1 + dice.roll(16));
    switch (dice.roll(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(dice.roll(256));
        break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(at, length)); break;
      case 3: text.insert(at, words[dice.roll(std::size(words))]); break;
      case 4: text.replace(at, length, words[dice.roll(std::size(words))]); break;
      default: {
        const std::string& other = corpus[dice.roll(corpus.size())];
        text = text.substr(0, at) + other.substr(std::min(other.size(), dice.roll(other.size() + 1)));
      }
    }
  }
  return text.substr(0, 20000);
}

struct Count {
  std::size_t inputs = 0, accepted = 0, findings = 0;
};

void run(const fuzz::Target& target, const std::string& bytes, Count& count) {
  ++count.inputs;
  try {
    count.accepted += target.run(bytes);
  } catch (const std::exception& e) {
    ++count.findings;
    std::cerr << "finding in " << target.name << ": " << e.what() << "\n" << bytes << "\n";
  }
}

Count replay(const fuzz::Target& target, const std::filesystem::path& corpus, std::size_t mutations) {
  const auto files = read_folder(corpus / target.name);
  Count count;
  for (const auto& file : files) run(target, file, count);
  std::cout << target.name << ": " << files.size() << " files, " << count.accepted << " accepted";
  Count more;
  Dice dice(hashed({files.size(), mutations}));
  for (std::size_t k = 0; !files.empty() && k < mutations; ++k) {
    const std::string& file = files[dice.roll(files.size())];
    const bool by_form = target.mutated != nullptr && k % 4 != 0;
    run(target, by_form ? target.mutated(file, hashed({k})) : mutated(file, files, dice), more);
  }
  std::cout << "; " << more.inputs << " mutations, " << more.accepted << " accepted\n";
  if (files.empty() || count.accepted == 0) {
    std::cerr << target.name << ": the corpus has no input that is accepted\n";
    ++count.findings;
  }
  count.findings += more.findings;
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fuzz_replay CORPUS [MUTATIONS]\n";
    return 2;
  }
  const std::size_t mutations = argc > 2 ? static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10)) : 3000;
  std::size_t findings = 0;
  try {
    foldproof::expr::on_large_stack([&] {
      for (const auto& target : fuzz::targets) findings += replay(target, argv[1], mutations).findings;
    });
  } catch (const std::exception& e) {
    std::cerr << "fuzz_replay: " << e.what() << "\n";
    return 2;
  }
  return findings == 0 ? 0 : 1;
}
