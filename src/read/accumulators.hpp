// SPDX-License-Identifier: MIT
// What a loop over a size takes from one step to the next: S = S + e, S = g * S + e, m = max(m, e). Where a step reads S it is what it
// was before the loop plus the sum of e over the steps by then, each with the powers of g that it has got by then. So no step needs
// the one before, and the loop becomes comprehensions as any other does. Part of the trusted base.
#pragma once

#include "read/loops.hpp"

namespace foldproof::read {

class Loops::Accumulators {
 public:
  /// Of a loop whose `index` goes through `steps`.
  Accumulators(Loops& loops, Token index, Counted steps) : loops_(loops), index_(index), steps_(std::move(steps)), has_step_(loops.has_step(steps_)) {}

  /// The step gives the name, from here on, what the recurrence says; it may read() others.
  void update(const Token& name, Recurrence how);
  /// A name for what `name` is at this place of the step, before and behind some of its updates. It stands for that after resolved().
  Token read(const Token& name);
  bool is_read(const Token& token) const { return uses_.count(token.text) > 0; }
  /// What has been read is the same array somewhere else, too, which nothing may change in place after the loop.
  void share(const Token& use) { find(uses_.find(use.text)->second.at).shared = true; }
  /// The places of the array get values, so that the whole of it is not known within a step. Errors of resolved() follow where it is read.
  void hide(std::string_view name) { hidden_.emplace(name); }
  /// With what was read in its place, where all updates are known. Errors: `parse.loop` where a step needs the one before.
  Tokens resolved(const Tokens& tokens);
  /// The statements that give the names what they were before the loop, as far as that is needed, and those that give them what they are
  /// after it, where a sum alone does not say it.
  Tokens before() const;
  Tokens after();

 private:
  struct Accumulator {
    Token name, initial;
    std::vector<Recurrence> updates;
    bool needs_initial = false, being_resolved = false, shared = false;
  };
  struct Use {
    Token at;
    std::size_t updates;  ///< so many have changed it in this step
  };
  /// A step, or the one behind it.
  struct Bound {
    Tokens base;
    bool one_more = false;
  };
  Accumulator& find(const Token& name);
  static bool takes_extremum(const Accumulator& a);
  static bool may_be_kept(const Accumulator& a);
  Tokens value(const Use& use);
  Tokens summed(const Accumulator& a, std::size_t update, const Tokens& last, std::size_t updates, bool within);
  Tokens largest(const Accumulator& a, const Tokens& so_far, const Token* last);
  Tokens factors(const Accumulator& a, std::size_t since, const Token* from, const Tokens& last, std::size_t updates, bool within);
  Tokens power(const Tokens& factor, const Bound& begin, const Bound& end, bool counts);
  Tokens exponential(const Accumulator& a, const Tokens& factor, const Bound& begin, const Bound& end);
  std::optional<Tokens> telescoped(const Accumulator& a, const Tokens& factor, const Bound& begin, const Bound& end);
  Tokens sum_up_to(const Accumulator& a, const Tokens& value, const Bound& end);
  bool changes_in_step(const Tokens& tokens) const;
  Tokens moved(const Tokens& tokens, const Token& index) const;

  Loops& loops_;
  Token index_;
  Counted steps_;
  bool has_step_;
  std::map<std::string, Accumulator, std::less<>> all_;
  std::map<std::string, Use, std::less<>> uses_;
  Set hidden_;
};

}  // namespace foldproof::read
