// SPDX-License-Identifier: MIT
#include "tool/input.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "expr/nearest.hpp"
#include "expr/operators.hpp"
#include "read/several_asserts.hpp"
#include "record/files.hpp"
#include "record/words.hpp"

namespace foldproof::tool {

namespace {


// A claim never begins with `{`, nor with a list of objects.
bool looks_like_json(const std::string& text) {
  constexpr const char* blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string::npos) return false;
  if (text[first] == '{') return true;
  const std::size_t second = text.find_first_not_of(blank, first + 1);
  return text[first] == '[' && (second == std::string::npos || text[second] == '{');
}

bool is_json_file(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

record::ClaimRecord claim_of(const std::string& text, const std::string& id, const std::string& file, std::size_t line) {
  record::ClaimRecord claim;
  claim.id = id;
  claim.text = text;
  claim.file = file;
  // Later claims of a file tell their own lines, so that messages name the line of the file.
  for (std::size_t begin = 0; line > 1 && begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    claim.pieces.push_back({{begin, end}, file + ":" + std::to_string(line)});
    begin = end + 1;
  }
  return claim;
}

/// Whether a word that begins with a minus sign is a claim all the same. -eA@B==B@A is the option -e and its value, -exp(X)<=0 is not.
bool is_negated_claim(const std::string& word) {
  if (word.size() < 2 || word[0] != '-' || word[1] == '-' || !reads_as_claim(word)) return false;
  return word[1] != 'e' || expr::find_operator(word.substr(1, word.find('(') - 1)) >= 0;
}

/// Claims of a file or of all files below a folder, the claim with this id in fixtures/claims, or the one that is written there.
std::vector<record::ClaimRecord> claims_named(const std::string& word) {
  if (word == "-") return claims_of(word);
  std::error_code ignored;
  if (std::filesystem::is_directory(word, ignored)) return record::read_entries({word});
  if (std::filesystem::exists(word, ignored)) return claims_of(word);
  const bool blank = word.find_first_of(" \t\n") != std::string::npos;
  if (reads_as_claim(word) || (blank && !is_json_file(word))) return claims_of_text(word, "claim", "<claim>");
  const bool may_be_id = word.find('/') == std::string::npos && word.find('.') == std::string::npos;
  if (!may_be_id || !std::filesystem::is_directory(usual_claims, ignored)) return claims_of(word);
  std::vector<std::string> ids;
  for (record::ClaimRecord& claim : record::read_entries({usual_claims})) {
    if (claim.id == word) return {std::move(claim)};
    ids.push_back(claim.id);
  }
  expr::fail("usage", "there is no file and no claim `" + record::one_line(word, 80) + "`", {}, hint_for_id(word, ids));
}

bool is_separator(const std::string& line) { return line.rfind("---", 0) == 0 && line.find_first_not_of("- \t\r") == std::string::npos; }

}  // namespace

bool reads_as_claim(const std::string& word) {
  static constexpr const char* relations[] = {"==", "<=", ">=", " < ", " > ", "@", "(", "["};
  return !is_json_file(word) && std::any_of(std::begin(relations), std::end(relations), [&](const char* relation) { return word.find(relation) != std::string::npos; });
}

std::string hint_for_id(const std::string& word, std::vector<std::string> ids) {
  std::erase_if(ids, [&](const std::string& id) { return 3 * expr::edit_distance(word, id) > word.size(); });  // another word, and no slip
  return ids.empty() ? "foldproof explain WORD names what has a word in its id or title" : expr::did_you_mean(word, ids);
}

std::vector<std::string> negated_claims_as_options(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  bool is_value = false;  // of the option before it
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    if (!is_value && is_negated_claim(words[i])) out.emplace_back("-e");
    is_value = words[i] == "-e" || words[i] == "--expression";
    out.push_back(words[i]);
  }
  return out;
}

std::vector<record::ClaimRecord> claims_of_text(const std::string& text, const std::string& id, const std::string& file) {
  std::vector<record::ClaimRecord> claims;
  std::string current;
  std::size_t line = 1;
  std::size_t first = 1;
  bool separated = false;
  const auto finish = [&] {
    const bool blank = current.find_first_not_of(" \t\r\n") == std::string::npos;
    // An empty file is one bad claim, an empty part after a last line of --- is nothing.
    const std::vector<std::string> each = blank ? std::vector{current} : read::one_claim_each(current);
    for (const std::string& one : each) {
      if (blank && separated) continue;
      claims.push_back(claim_of(one, id + (separated || each.size() > 1 ? "#" + std::to_string(claims.size()) : ""), file, first));
      claims.back().asserts = each.size();
    }
    current.clear();
    first = line + 1;
  };
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string row = text.substr(begin, end - begin);
    if (is_separator(row)) {
      separated = true;
      finish();
    } else {
      current += row + (end < text.size() ? "\n" : "");
    }
    begin = end + 1;
  }
  finish();
  return claims;
}

std::vector<record::ClaimRecord> claims_of(const std::string& path) {
  const bool input = path == "-";
  const std::string name = input ? "<stdin>" : path;
  const std::string bytes = record::read_file(input ? "/dev/stdin" : path);
  const bool json = (!input && is_json_file(path)) || looks_like_json(bytes);
  if (json) return record::parse_entries(bytes, name);
  return claims_of_text(bytes, input ? "stdin" : std::filesystem::path(path).stem().string(), name);
}

std::vector<record::ClaimRecord> all_claims(const std::vector<std::string>& files, const std::vector<std::string>& texts) {
  std::vector<record::ClaimRecord> claims;
  for (const std::string& file : files) {
    for (record::ClaimRecord& claim : claims_named(file)) claims.push_back(std::move(claim));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string id = texts.size() == 1 ? "claim" : "claim" + std::to_string(i + 1);
    for (record::ClaimRecord& claim : claims_of_text(texts[i], id, "<-e>")) claims.push_back(std::move(claim));
  }
  return claims;
}

expr::DimValues sizes_of(const std::vector<std::string>& dims) {
  expr::DimValues values;
  for (const std::string& text : dims) {
    const std::size_t equals = text.find('=');
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const bool named = equals != std::string::npos && equals > 0;
    const bool good = named && std::from_chars(text.data() + equals + 1, end, value).ptr == end && value >= 1;
    if (!good) expr::fail("usage", "--dim " + text.substr(0, 60) + " is not NAME=NUMBER with a number of at least 1", {}, "for example --dim d_model=512");
    const auto [known, added] = values.emplace(text.substr(0, equals), value);
    if (!added && known->second != value) expr::fail("usage", "--dim gives " + known->first + " two values, " + std::to_string(known->second) + " and " + std::to_string(value), {});
  }
  return values;
}

bool colours(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string(term) == "dumb";
  return ::isatty(descriptor) == 1 && (no_color == nullptr || *no_color == '\0') && !dumb;
}

void complain(const std::exception& error) {
  std::cerr << "foldproof: " << error.what() << "\n";
  const auto* input = dynamic_cast<const expr::Error*>(&error);
  if (input != nullptr && !input->diagnostic().hint.empty()) std::cerr << "  hint: " << input->diagnostic().hint << "\n";
}

}  // namespace foldproof::tool
