// SPDX-License-Identifier: MIT
// Lists and loops of Python programs, which are pasted with claims: heads = [], for i in range(h):, heads.append(...), out += ... .
// They become statements without loops before anything is parsed, so no other layer knows of them: a list is written out where it
// is used, a loop over a size becomes a comprehension or a sum over it, and one over a number is written out step by step. Where a
// name would then mean something else than in Python, that is an error.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/token_lists.hpp"
#include "read/parser.hpp"

namespace foldproof::read {

/// More tokens than this are not written for a claim.
inline constexpr std::size_t most_tokens_written = 200000;
/// A loop over numbers has no more.
inline constexpr std::size_t most_steps = 64;

class Loops {
  struct List {
    std::vector<Tokens> items;
    Tokens comprehension;  ///< of all items, if a loop over a size made them
    bool shared = false;   ///< it may have a second name, under which what changes it is not seen
    mutable bool read = false;
  };
  using Lists = std::map<std::string, List, std::less<>>;
  using Set = std::set<std::string, std::less<>>;

 public:
  /// Of a name when a statement is reached: whether it stands for something, and whether a function reads it.
  struct Names {
    std::function<bool(const std::string&)> known, read_by_function;
    std::function<std::optional<std::size_t>(const std::string&)> length;  ///< of a tensor whose first axis has a number for its size
    std::function<bool(const std::string&)> is_size;  ///< whether it stands for a size, which is at least 1
    std::function<bool(const std::string&)> has_entries;  ///< whether it stands for a tensor none of whose axes is empty
    std::function<std::optional<std::int64_t>(const std::string&)> number;  ///< that it stands for, a whole one
    std::function<std::optional<std::int64_t>(const std::string&, std::int64_t)> size;  ///< of the tensor of that name along an axis, where it is a number
    std::function<bool(const std::string&)> is_tuple;     ///< whether it stands for several values, of which `length` says how many
  };
  Loops(Parser& parser, std::string_view text, Names names) : parser_(parser), text_(text), known_(std::move(names.known)), read_by_function_(std::move(names.read_by_function)), length_(std::move(names.length)), is_size_(std::move(names.is_size)), has_entries_(std::move(names.has_entries)), number_(std::move(names.number)), size_(std::move(names.size)), is_tuple_(std::move(names.is_tuple)) {}

  /// Reads a loop, the beginning of a list or what is appended to one, if that stands next; otherwise writes out the lists of the next statement.
  /// Errors: `parse.loop`, `limit.size`.
  bool take();
  /// Whether what a list holds names it: then it may get no other value.
  bool uses(const std::string& name) const;
  /// Whether it is an item of a list, too.
  bool holds(const std::string& name) const;
  /// Refuses lists of what is done for each value of a range that nothing reads: they are never written out, and what they do to others is not seen.
  void require_read() const;
  /// Behind the last statement: writes such lists down as definitions, so that what they do to others is seen. Whether there are any.
  bool define_unread();
  /// How many lists and items there are by now.
  std::size_t item_count() const;
  /// Nothing is known of the entries of the array any more.
  void forget_zeros(const std::string& name) { zeros_.erase(name); }
  /// What is known of lists in a function, and only there.
  class Scope {
   public:
    explicit Scope(Loops& loops) : loops_(loops), lists_(std::exchange(loops.lists_, {})), gone_(loops.gone_), items_(loops.items_), zeros_(std::exchange(loops.zeros_, {})), empty_(std::exchange(loops.empty_, {})), nothing_(std::exchange(loops.nothing_, {})), divided_(loops.divided_) {
      loops.gone_.insert(empty_.begin(), empty_.end());
      loops.gone_.insert(nothing_.begin(), nothing_.end());
      for (const auto& [name, list] : lists_) loops.gone_.insert(name);  // Python would read it when the function is called
    }
    ~Scope() {
      loops_.lists_ = std::move(lists_);
      loops_.gone_ = std::move(gone_);
      loops_.items_ = std::move(items_);
      loops_.zeros_ = std::move(zeros_);
      loops_.empty_ = std::move(empty_);
      loops_.nothing_ = std::move(nothing_);
      loops_.divided_ = std::move(divided_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Loops& loops_;
    Lists lists_;
    Set gone_, items_, zeros_;
    Set empty_, nothing_, divided_;
  };
  /// Whether the name got its value from an item of a list, which it may be.
  bool is_item(std::string_view name) const { return items_.count(name) > 0; }

 private:
  using Values = std::map<std::string, Tokens, std::less<>>;
  /// Names that a loop gives values to, and the commas and brackets between them.
  struct Items {
    Tokens flat;
    std::string form;
  };
  /// What one step gives them.
  struct Step {
    std::vector<Tokens> values;
    std::string form;
  };
  class OverSize;
  class Accumulators;
  /// x = opening [x, item] closing, as in x = np.concatenate([x, item], axis=0).
  struct Join {
    Tokens opening, closing, item;
  };

  /// What the loops around the one that is read have done by now. Those at which the parser is stand in the text and are not here.
  struct Around {
    Set targets;            ///< what they give values to
    Set read;               ///< what a step has read of what it has not given a value to
    std::size_t loops = 0;  ///< how many there are
  };

  static void require_read(const std::string& name, const List& list);
  Tokens statement() const;
  Tokens compound(std::size_t begin) const;
  bool calls_in_place(const Tokens& next);
  bool order_functions();
  bool begins_list() const;
  void note_zeros(const Tokens& next);
  bool spread(const Tokens& next, std::size_t equals);
  bool divide(const Tokens& next, std::size_t equals);
  bool divide_by_size(const Tokens& next);
  void refuse_as_tensor(const Tokens& next) const;
  bool keep_for_lists(const Tokens& next, std::size_t equals);
  void loop();
  bool name_sources(const Tokens& tokens, const Loop& loop);
  Tokens without_loop(const Loop& loop);
  static Items items_of_targets(const Tokens& targets);
  std::optional<std::vector<Step>> steps_of(const Tokens& range, Tokens* before);
  bool is_of_items(const Tokens& range) const;
  bool is_list_of_items(std::string_view name) const;
  std::optional<std::vector<Tokens>> items_of(const Tokens& content, bool of_numbers = false);
  Tokens decided(const Tokens& part, bool in_brackets) const;
  Tokens with_items_written(const Tokens& tokens);
  bool write_items(const Tokens& next);
  static bool assigns(const Tokens& body, std::string_view name);
  Tokens unrolled(const Loop& loop, const Items& targets, const std::vector<Step>& steps);
  static Tokens in_step(const Tokens& tokens, const Items& targets, const Step& step, const Token& at);
  std::optional<bool> truth(const Tokens& t) const;
  static std::optional<Tokens> chosen_case(const Tokens& t, std::size_t& at, const std::function<std::optional<bool>(const Tokens&)>& holds);
  bool choose();
  void repeat();
  static void refuse_while(const Loop& loop);
  static Tokens step_by_step(const Loop& loop, const Items& targets, const std::vector<Step>& steps);
  std::optional<std::string_view> put_cases(Tokens& result, const Tokens& t, const Loop& loop) const;
  std::optional<Tokens> unrolled_cases(const Loop& loop, const Items& targets, const std::vector<Step>& steps) const;
  static Set given_in_turn(const Tokens& body);
  static void require_one_statement(const Loop& loop);
  static void require_own_places(const Loop& loop, const Items& targets);
  void require_once(const Token& array, const ItemChange& item, const Tokens& body, const Token* index = nullptr, std::size_t along = 0);
  void require_zeros(const Token& array, const ItemChange& item) const;
  bool fills(const ItemChange& item, std::size_t k) const;
  bool adds_to_zeros(const Token& array, const ItemChange& item, std::size_t k) const;
  Tokens with_unknown_entries(const Token& array);
  static void put_places(Tokens& tokens, const std::vector<Tokens>& places);
  /// Whether the token stands in the program, which passes over it may have written anew, and is not made for a loop.
  bool is_written(const Token& t) const {
    const auto behind = made_at_.upper_bound(t.text.data());
    return behind == made_at_.begin() || std::prev(behind)->second <= t.text.data();
  }
  Tokens piece(const Token& array, const ItemChange& item);
  Tokens along_axis_of(const Token& array, const ItemChange& item, std::size_t k);
  Tokens changed_array(const Token& array, const ItemChange& item, std::size_t k, const Tokens& items);
  static bool is_block(const Tokens& place, const Token& index);
  Tokens through(const Loop& loop, const Items& targets, const Token& index, Values& locals) const;
  Tokens over_size(const Loop& loop, const Items& targets);
  static std::optional<Join> join(const Tokens& statement);
  /// Whether name k is what np.stack(...) or the like is called with.
  static bool is_joined_there(const Tokens& tokens, std::size_t k);
  /// Where name k stands with all places up to that of the index, K[:t+1] or K[:, :t+1], along that place: the position behind it. Else 0.
  static std::size_t behind_places_so_far(const Tokens& tokens, std::size_t k, std::size_t along, const Token& index);
  bool takes_parts_so_far(const Tokens& tokens, const Token& index, const Set& locals) const;
  /// Whether the steps read what they have made grow so far, or parts of others so far, and nothing else of the steps before: also over numbers it is then one thing for all steps.
  bool grows(const Loop& loop) const;
  bool begin_with_nothing(const Tokens& next);
  bool join_to_nothing(const Tokens& next);
  /// The step where m = max(m, s) stands for new = max(m, s) ... m = new, and for old = m ... m = max(old, s).
  Tokens with_recurrences(Tokens body);
  void append();
  bool extend(const Tokens& next);
  bool copy_list(const Tokens& next);
  void note_shared(const Tokens& statement);
  List& own_list(const Token& name);
  bool write_list(const Token& name);
  bool change_item(const Tokens& next);
  void begin_list(const Tokens& next);
  Tokens written_out(const Tokens& tokens) const;
  bool fill_unknown(const Tokens& next);
  void refuse_gone(const Tokens& next) const;
  Token made(TokenKind kind, std::string text, const Token& at);
  Tokens code(std::string_view text, const Token& at);
  std::optional<std::int64_t> whole(const Tokens& tokens) const;
  std::optional<std::vector<std::int64_t>> numbers_of(const Tokens& range) const;
  std::optional<Loop> with_whole_steps(const Loop& loop, const Items& targets);
  std::optional<Counted> counted(const Tokens& range);
  std::optional<int> least(const Tokens& t) const;
  bool has_step(const Counted& steps) const;
  Token item_name(const Token& list, std::size_t k);
  void refuse_read(const Token& name) const;
  void refuse_another_value(const Token& name) const;
  static Set free_names(const Tokens& tokens);
  static Token symbol(std::string_view text, const Token& at) { return {TokenKind::symbol, text, at.span}; }
  /// (tokens)
  static Tokens in_brackets(Tokens tokens, const Token& at) {
    tokens.insert(tokens.begin(), symbol("(", at));
    tokens.push_back(symbol(")", at));
    return tokens;
  }
  /// copy = copied(array), on a line
  static Tokens with_copy(const Token& copy, const Token& array) {
    return {copy, symbol("=", array), {TokenKind::name, copied_call, array.span}, symbol("(", array), array, symbol(")", array), {TokenKind::separator, "\n", array.span}};
  }
  void rewrite(std::size_t count, Tokens by);

  Parser& parser_;
  std::string_view text_;
  std::function<bool(const std::string&)> known_, read_by_function_;
  std::function<std::optional<std::size_t>(const std::string&)> length_;
  std::function<bool(const std::string&)> is_size_, has_entries_;
  std::function<std::optional<std::int64_t>(const std::string&)> number_;
  std::function<std::optional<std::int64_t>(const std::string&, std::int64_t)> size_;
  std::function<bool(const std::string&)> is_tuple_;
  Lists lists_;
  Set gone_;   ///< what a loop gave values to, which the claim does not know after it
  Set items_;  ///< names that may be items of lists
  Set zeros_;  ///< arrays that are zeros by now
  Set empty_;     ///< arrays of np.empty, whose entries have no value yet
  Set nothing_;   ///< arrays without entries, to which something will be joined
  Set divided_;  ///< arrays that stand for tuples of tensors
  Around around_;
  std::map<std::size_t, std::size_t> while_steps_;  ///< that a loop has had by now, by where it begins
  std::deque<std::string> made_;             ///< texts of tokens that nobody wrote
  std::map<const char*, const char*, std::less<>> made_at_;  ///< where these begin and end
  std::size_t written_ = 0;                  ///< tokens in the place of others
};

}  // namespace foldproof::read
