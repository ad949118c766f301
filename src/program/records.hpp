// SPDX-License-Identifier: MIT
// What a name stands for that holds several values.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "program/token_lists.hpp"

namespace foldproof::program {

/// A dictionary, a tuple, or a list of such; or one value.
struct Record {
  enum class Kind { value, dictionary, tuple };
  Kind kind = Kind::value;
  Tokens value;               ///< of a value: what is written in its place
  std::vector<Record> parts;  ///< of keys in the order in which they were given, of a tuple by "0", "1", ...
  std::string_view key = {};  ///< of a part
  bool list = false;          ///< of dictionaries or tuples: each value is the list of theirs
  bool given = false;         ///< to a function, which would change what was given

  bool plain() const { return kind == Kind::value; }
  /// Null where there is no such key.
  const Record* part(std::string_view wanted) const;
  /// Gives the key this value, also where it has another one.
  void set(std::string_view key_of_part, Record part);
  /// Shows the values of all keys, also of dictionaries in it.
  void each_value(const std::function<void(const Record&)>& see) const;
  std::vector<Tokens> values() const;
  /// The same as arguments of a call.
  Tokens listed(const Token& at) const { return with_commas(values(), at); }
  /// The same keys with other values.
  Record mapped(const std::function<Tokens(const Tokens&)>& change) const;
  bool same_keys(const Record& other) const;
  bool same_values(const Record& other) const;
};

/// Whether one bracket of that kind holds all of it.
bool is_one(const Tokens& tokens, std::string_view open);
/// scale of "scale".
std::string_view key_of(const Token& quoted);

}  // namespace foldproof::program
