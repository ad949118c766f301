// SPDX-License-Identifier: MIT
// Claims as JSON: one object or a list of them, with the keys of `claim.schema.json` and no others.
// Reading assembles the pieces of a claim into one text of the claim language and remembers where each piece came from.
// Whether that text is a claim is not decided here: the caller parses it, so that one bad claim never stops the rest.
// Every error names file, line, column and JSON pointer: "claims.json:3:14: /2/lhs: must be text, found a list". An entry that cannot be
// read, and a file that is no JSON, is an item like the others that holds its error, for callers that go on with the rest.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/document.hpp"

namespace foldproof::record {

/// Part of ClaimRecord::text, and the place in the JSON file that it was copied from.
struct Piece {
  expr::Span span;    ///< in ClaimRecord::text
  std::string place;  ///< "claims.json:3:14: /2/lhs"
};

/// A claim as a file has it.
struct ClaimRecord {
  std::string id;  ///< given, or the file's stem, with "#3" for the fourth claim of a list
  std::string title;
  std::string why;
  std::string nearest_true;
  std::string source;
  std::string practice;  ///< where in practice it matters
  std::optional<std::string> expect;
  std::vector<std::string> tags;
  bool allow_same_text = false;  ///< both sides may be the same text

  std::vector<std::pair<std::string, std::vector<std::string>>> vars;  ///< name, dimensions
  std::vector<std::string> assume;
  std::vector<std::pair<std::string, std::string>> let;  ///< name, expression
  std::string lhs;
  std::string relation = "==";
  std::string rhs;

  std::string text;  ///< declarations, definitions, assumptions, equation, each on its line
  std::string file;
  std::vector<Piece> pieces;
  std::size_t asserts = 1;  ///< so many asserts of one program are claims, of which this is one: they follow one another
  std::optional<expr::Diagnostic> unreadable;  ///< why this is no claim; only id and file are then set
};

/// The claim text made of vars, let, assume, lhs, relation and rhs.
std::string assemble(const ClaimRecord& claim);

/// Reads the claims of one JSON text.
/// Errors: those of Document, and `claim.kind` (a value of the wrong type), `claim.key` (unknown; hint: the nearest known), `claim.missing`,
/// `claim.value` (a value outside its list, a name that is no name), `claim.statement` (a piece that would end its statement),
/// `claim.duplicate` (an id twice).
std::vector<ClaimRecord> parse_claims(std::string text, const std::string& file);
/// The same without errors: what cannot be read is an item with `unreadable`. Its id is the one given, or file and position where that names nothing or
/// something else.
std::vector<ClaimRecord> parse_entries(std::string text, const std::string& file);

/// Reads the claims of every .json file of `paths` (see `walk`), in order. Errors: also `io.*`, and an id used in two files.
std::vector<ClaimRecord> read_claims(const std::vector<std::filesystem::path>& paths);
/// The same, where each error of a file or an entry is an item. Errors: those of `walk`.
std::vector<ClaimRecord> read_entries(const std::vector<std::filesystem::path>& paths);

/// Errors: `unreadable`.
void require_readable(const ClaimRecord& claim);

/// Where the byte `offset` of claim.text came from: "claims.json:3:14: /2/lhs". Bytes between two pieces count to the one
/// before; a claim that was not read from JSON gives its file.
std::string origin(const ClaimRecord& claim, std::size_t offset);

/// A claim's diagnostic with the place it was written at: "claims.json:3:14: /2/lhs: message", the line, a caret, the hint.
std::string render(const ClaimRecord& claim, const expr::Diagnostic& diagnostic);

/// The claim as a JSON object, keys in the order of the schema, keys without content left out. parse_claims gives the same claim again.
/// Requires: all texts are UTF-8.
std::string write(const ClaimRecord& claim);
/// The same for a list.
std::string write(const std::vector<ClaimRecord>& claims);

}  // namespace foldproof::record
