// SPDX-License-Identifier: MIT
// Ways to damage a certificate: one step changed in one way, or the claim changed by one mistake.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/check.hpp"
#include "properties_random.hpp"

namespace foldproof::properties {

enum class Mutation {
  direction,     ///< a step turned around: enter for leave, side 0 for side 1, its numbers in reverse
  order,         ///< two steps exchanged
  substitution,  ///< another factor, variable, term or assumption is named
  renaming,      ///< bound variables get other names
  dropped,       ///< a step left out
  repeated,      ///< a step taken twice
  inserted,      ///< a step that does not belong there
  cut,           ///< the end left out
  other_law,     ///< another law with the same numbers
  size,          ///< another size
  missing,       ///< a number left out
  added,         ///< a number too many, or one out of all bounds
  reduction,     ///< another reduction, another text of it, a part left out, added or exchanged
};
inline constexpr Mutation mutations[] = {Mutation::direction, Mutation::order, Mutation::substitution, Mutation::renaming, Mutation::dropped, Mutation::repeated, Mutation::inserted,
                                         Mutation::cut,       Mutation::other_law, Mutation::size, Mutation::missing, Mutation::added, Mutation::reduction};
inline const char* text(Mutation m) {
  static constexpr const char* names[] = {"direction", "order", "substitution", "renaming", "step dropped", "step repeated", "step inserted", "end cut off", "other law", "other size", "number missing", "number added", "reduction"};
  return names[static_cast<std::size_t>(m)];
}

/// One of the scripts, the goal's most often.
inline kernel::Script& some_script(kernel::Certificate& c, Dice& dice) {
  if (!c.parts.empty() && dice.roll(20) != 0) return some_script(c.parts[dice.roll(c.parts.size())], dice);
  const std::size_t which = dice.roll(c.assumptions.size() + 3);
  return which < c.assumptions.size() ? c.assumptions[which] : c.goal;
}

/// Changes the reduction. False when there is none, but for the odd one that is put where none belongs.
inline bool mutate_reduction(kernel::Certificate& c, Dice& dice) {
  static constexpr const char* texts[] = {"n", "d", "p", "2", "3", "0", "9", "A", "zeros(n, n)", "eye(n)", "A @ A", "A - A", "log(A)", "inv(A)", "1 / A", "A[i]", "(", ""};
  if (c.parts.empty() && dice.roll(20) != 0) return false;
  if (!c.parts.empty() && dice.roll(3) == 0) return mutate_reduction(c.parts[dice.roll(c.parts.size())], dice);
  auto& text = c.reduction.text;
  switch (dice.roll(6)) {
    case 0: c.reduction.kind = static_cast<kernel::ReductionKind>(dice.roll(kernel::reduction_count)); break;
    case 1:
      if (text.empty()) return false;
      text[dice.roll(text.size())] = texts[dice.roll(std::size(texts))];
      break;
    case 2: text.push_back(texts[dice.roll(std::size(texts))]); break;
    case 3:
      if (text.empty()) return false;
      text.pop_back();
      break;
    case 4: c.parts.resize(dice.roll(c.parts.size() + 2)); break;
    default:
      if (c.parts.size() < 2) return false;
      std::swap(c.parts[dice.roll(c.parts.size())], c.parts[dice.roll(c.parts.size())]);
  }
  return true;
}

/// Changes one step. False when the script offers no place for it.
inline bool mutate(kernel::Script& script, Mutation mutation, Dice& dice) {
  using kernel::Law;
  const auto fits = [&](const kernel::Step& s) {
    switch (mutation) {
      case Mutation::direction: return s.law == Law::enter || s.law == Law::leave || s.law == Law::inverse || s.args.size() > 1;
      case Mutation::substitution: return s.law != Law::keep && !s.args.empty();
      case Mutation::renaming: return s.law == Law::keep && s.args.size() > 1;
      case Mutation::missing: return !s.args.empty();
      case Mutation::size: return !s.size.is_zero();
      default: return true;
    }
  };
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < script.size(); ++k) {
    if (fits(script[k])) places.push_back(k);
  }
  if (places.empty()) return false;
  const std::size_t place = places[dice.roll(places.size())];
  const auto at = script.begin() + static_cast<std::ptrdiff_t>(place);
  auto& args = at->args;
  switch (mutation) {
    case Mutation::direction:
      if (at->law == Law::enter || at->law == Law::leave) {
        at->law = at->law == Law::enter ? Law::leave : Law::enter;
      } else if (at->law == Law::inverse && args.size() > 2) {
        args[2] = 1 - args[2];
      } else {
        std::reverse(args.begin(), args.end());
      }
      break;
    case Mutation::order: std::iter_swap(at, script.begin() + static_cast<std::ptrdiff_t>(dice.roll(script.size()))); break;
    case Mutation::substitution: args[dice.roll(args.size())] = static_cast<std::int64_t>(dice.roll(8)) - 1; break;
    case Mutation::renaming: {
      const std::size_t first = dice.roll(args.size()), second = (first + 1 + dice.roll(args.size() - 1)) % args.size();
      if (dice.roll(2) == 0) {
        std::swap(args[first], args[second]);
      } else {
        args[first] = args[second];
      }
      break;
    }
    case Mutation::dropped: script.erase(at); break;
    case Mutation::repeated: script.insert(at, kernel::Step(*at)); break;
    case Mutation::inserted: {
      kernel::Step step{static_cast<Law>(dice.roll(kernel::law_count)), {}, {}};
      for (std::size_t count = dice.roll(4); count > 0; --count) step.args.push_back(static_cast<std::int64_t>(dice.roll(4)) - (dice.roll(6) == 0));
      if (dice.roll(3) == 0) step.size = dice.roll(2) == 0 ? expr::dim("n") : expr::Dim(static_cast<std::int64_t>(dice.roll(3)));
      script.insert(at, std::move(step));
      break;
    }
    case Mutation::cut: script.erase(at, script.end()); break;
    case Mutation::other_law: at->law = static_cast<Law>((static_cast<int>(at->law) + 1 + static_cast<int>(dice.roll(kernel::law_count - 1))) % kernel::law_count); break;
    case Mutation::size: at->size = at->size + expr::Dim(dice.roll(2) == 0 ? 1 : -1); break;
    case Mutation::missing: args.pop_back(); break;
    case Mutation::added: args.push_back(dice.roll(2) == 0 ? -1 : INT64_MAX); break;
    case Mutation::reduction: break;  // of the whole certificate, below
  }
  return true;
}

/// Changes one place of the certificate. False when it offers none for this kind.
inline bool mutate(kernel::Certificate& c, Mutation mutation, Dice& dice) {
  return mutation == Mutation::reduction ? mutate_reduction(c, dice) : mutate(some_script(c, dice), mutation, dice);
}

/// The same claim with one mistake, in every place where one fits.
inline std::vector<std::string> mistakes(const std::string& claim) {
  std::vector<std::string> made;
  const auto separator = claim.find_last_of(";\n", claim.find_last_not_of(";\n \t"));
  const std::size_t start = separator == std::string::npos ? 0 : separator + 1;
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (auto at = claim.find(from, start); at != std::string::npos; at = claim.find(from, at + 1)) {
      made.push_back(claim.substr(0, at) + std::string(to) + claim.substr(at + from.size()));
    }
  };
  replace(".T", "");
  replace(" + ", " - ");
  replace(" - ", " + ");
  replace("==", "== 2 *");
  replace("@ ", "@ 2 * ");
  replace("softmax", "softmax1");
  replace("abs(", "relu(");
  replace("relu(", "abs(");
  replace("inv(", "(");
  replace("exp(", "log(");
  replace("axis=1", "axis=0");
  replace("<= ", "<= -1 + ");
  return made;
}

}  // namespace foldproof::properties
