// SPDX-License-Identifier: MIT
#include "repair/edits.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "repair/assumption_edits.hpp"
#include "repair/bound_edits.hpp"
#include "repair/changes.hpp"
#include "repair/places.hpp"
#include "repair/shape_edits.hpp"
#include "repair/unused_names.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::node;
using expr::SyntaxKind;

class Editor {
 public:
  Editor(const expr::Claim& claim, const infer::Problem& problem) : claim_(claim), problem_(problem), around_(claim, problem), found_(bound_edits(claim, problem)) {}
  std::vector<Edit> run() {
    claim_.relation == expr::Relation::equal ? of_equation() : of_inequality();
    return std::move(found_);
  }

 private:
  void of_inequality() {
    Edit turned{claim_, "the sides exchanged", 1};
    std::swap(turned.claim.lhs, turned.claim.rhs);
    found_.insert(found_.begin(), std::move(turned));
    if (claim_.relation == expr::Relation::less) {
      Edit weaker{claim_, "<= instead of <", 1};
      weaker.claim.relation = expr::Relation::less_equal;
      found_.insert(found_.begin(), std::move(weaker));
    }
    for (const bool right : {true, false}) {
      Changes changes;
      const Expression &side = right ? claim_.rhs : claim_.lhs, &other = right ? claim_.lhs : claim_.rhs;
      const Lacking lacks = lacking(around_, side, other);
      if (!right && side->kind != SyntaxKind::power && has_data(side, problem_) && has_data(other, problem_)) changes.push_back({node(SyntaxKind::power, {side, number(2)}), "a power", 3});
      everywhere(side, [&](const Expression& e, Changes& out) { changes_of_bound_here(around_, lacks, e, out); }, changes);
      for (Change& change : changes) found_.push_back(changed(right, change, change.size));
    }
    if (!problem_.variables.empty() && problem_.ranks.empty()) {
      for (Edit& edit : assumption_edits(claim_, problem_)) found_.push_back(std::move(edit));
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Edit& a, const Edit& b) { return a.size < b.size; });
  }
  void of_equation() {
    for (const bool right : {true, false}) {
      const Expression &side = right ? claim_.rhs : claim_.lhs, &other = right ? claim_.lhs : claim_.rhs;
      const Lacking lacks = lacking(around_, side, other);
      Changes changes;
      changes_of_side(around_, side, other, changes);
      everywhere(side, [&](const Expression& e, Changes& out) { changes_here(around_, lacks, e, out); }, changes);
      changes_throughout(side, changes);
      if (const auto filled = constant_of(other)) against_number(right, changes, *filled);
      for (Change& change : changes) keep(changed(right, change, 2 * change.size + (right ? 0 : 1)));
    }
    in_definitions();
    throughout("softmax1", "softmax");
    throughout("layernorm", "rmsnorm");
    for (Edit& edit : shape_edits(claim_, problem_)) found_.push_back(std::move(edit));
    for (Edit& edit : assumption_edits(claim_, problem_)) found_.push_back(std::move(edit));
    std::stable_sort(found_.begin(), found_.end(), [](const Edit& a, const Edit& b) { return a.size < b.size; });
  }
  Edit changed(bool right, Change& change, int size) const {
    Edit edit{claim_, change.words, size};
    (right ? edit.claim.rhs : edit.claim.lhs) = std::move(change.to);
    return edit;
  }
  void keep(Edit edit) {
    if (!expr::same(edit.claim.lhs, edit.claim.rhs)) found_.push_back(std::move(edit));
  }

  /// Whether the program reads a number by its name where the claim has the number: with another one it would be another claim than it shows.
  bool is_written_out(const std::string& name) const {
    std::size_t read = 0;
    const std::function<void(const Expression&)> count = [&](const Expression& e) {
      read += e->kind == SyntaxKind::name && e->name == name ? 1 : 0;
      expr::each_part(e, count);
    };
    for (const Expression& side : {claim_.lhs, claim_.rhs}) count(side);
    for (const auto& d : claim_.definitions) count(d.value);
    return times_written(name, claim_.source) > read + 1;
  }
  /// The same changes in a step of a program, which the words show. There are many steps: only small changes.
  void in_definitions() {
    constexpr int largest = 3;
    constexpr std::size_t longest = 160;
    for (std::size_t k = 0; k < claim_.definitions.size(); ++k) {
      const auto& d = claim_.definitions[k];
      if (d.value->kind == SyntaxKind::number && is_written_out(d.name)) continue;
      Changes changes;
      of_each_part(d.value, largest, changes);
      changes_throughout(d.value, changes);
      const auto reads_later = [&](const Expression& e) {  // or itself
        return std::any_of(claim_.definitions.begin() + static_cast<std::ptrdiff_t>(k), claim_.definitions.end(), [&](const auto& later) { return expr::mentions(e, later.name); });
      };
      for (Change& change : changes) {
        if (change.size > largest || reads_later(change.to)) continue;
        const std::string step = d.name + " = " + expr::text(change.to);
        Edit edit{claim_, std::string(change.words) + (step.size() > longest ? " in `" + d.name + "`" : ": `" + step + "`"), 2 * change.size + 1};
        edit.claim.definitions[k].value = std::move(change.to);
        found_.push_back(std::move(edit));
      }
    }
  }
  /// Every change of a part of e wherever it stands: of a function that is written out, an argument stands in many places.
  void of_each_part(const Expression& e, int largest, Changes& out) const {
    std::vector<Expression> parts;
    std::set<std::string> seen;
    const std::function<void(const Expression&)> collect = [&](const Expression& part) {
      if (!seen.insert(expr::text(part)).second) return;
      parts.push_back(part);
      for (const Expression& a : part->args) collect(a);
    };
    collect(e);
    for (const Expression& part : parts) {
      Changes here;
      changes_here(around_, {}, part, here);
      for (const Change& change : here) {
        if (change.size <= largest) out.push_back({replaced(e, part, change.to), change.words, change.size});
      }
    }
  }
  /// The 3 of 3 * x is not that of x[:3] or axis=3, so that expr::changed would change too much.
  static Expression replaced(const Expression& e, const Expression& part, const Expression& by) {
    if (expr::same(e, part)) return by;
    if (e->args.empty()) return e;
    auto copy = std::make_shared<expr::Syntax>(*e);
    for (Expression& a : copy->args) a = replaced(a, part, by);
    return copy;
  }
  /// The number that zeros(1, d) and ones(n, 1) hold: sums along the other axis have another shape.
  static std::optional<std::int64_t> constant_of(const Expression& e) {
    if (expr::is_call(e, "zeros")) return 0;
    return expr::is_call(e, "ones") ? std::optional<std::int64_t>(1) : std::nullopt;
  }
  void against_number(bool right, const Changes& changes, std::int64_t filled) {
    for (const Change& change : changes) {
      if (std::string_view(change.words) != along_the_other_axis && std::string_view(change.words) != another_function) continue;
      Change copy = change;
      Edit edit = changed(right, copy, 2 * change.size + 2);
      (right ? edit.claim.lhs : edit.claim.rhs) = number(filled);
      found_.push_back(std::move(edit));
    }
  }

  static Expression renamed_throughout(const Expression& e, const std::string& from, const std::string& to) {
    auto copy = std::make_shared<expr::Syntax>(*(expr::is_call(e, from) ? renamed(e, to) : e));
    for (auto& a : copy->args) a = renamed_throughout(a, from, to);
    return copy;
  }
  void throughout(const std::string& from, const std::string& to) {
    if (around_.calls.count(from) == 0) return;
    Edit edit{claim_, to + " instead of " + from, 7};
    edit.claim.lhs = renamed_throughout(claim_.lhs, from, to);
    edit.claim.rhs = renamed_throughout(claim_.rhs, from, to);
    keep(std::move(edit));
  }

  const expr::Claim& claim_;
  const infer::Problem& problem_;
  const Surroundings around_;
  std::vector<Edit> found_;
};

}  // namespace

std::vector<Edit> edits(const expr::Claim& claim, const infer::Problem& problem) { return Editor(claim, problem).run(); }

}  // namespace foldproof::repair
