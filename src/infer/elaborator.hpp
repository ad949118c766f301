// SPDX-License-Identifier: MIT
// From syntax to typed terms, under one reading of the undeclared names. Private to infer/. Part of the trusted base.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "infer/names.hpp"
#include "infer/problem.hpp"
#include "infer/unify.hpp"

namespace foldproof::infer {

using expr::Dim;
using expr::Expression;
using expr::Rational;
using expr::Shape;
using expr::Span;
using expr::Syntax;
using expr::SyntaxKind;

inline constexpr const char* dropped_axis = "shape.dropped_axis";
inline constexpr const char* dropped_hint = "write keepdims=True, or sum(X, axis=1) and rowsum(X), which keep the axis with size 1";

/// How an undeclared name is read where its places allow several shapes.
enum class Reading { matrix, row, column, scalar, vector };

class Elaborator final : public expr::ShapeRules {
 public:
  Elaborator(const expr::Claim& claim, const Names& names, const std::map<std::string, Reading>& readings);
  Problem run();
  /// How many sizes are still free: more is more general.
  std::size_t freedom() const { return freedom_; }
  // ShapeRules
  Dim resolve(const Dim& d) const override { return sizes_.resolve(d); }
  void require_equal(const Dim& a, const Dim& b, std::span<const int> operands, const char* why) override;
  /// Of Q: [n, d]; Q = X @ W: the shapes must be equal, and what is open in one is learnt from the other.
  void require_declared_shape(const expr::Definition& d, const Term& value);
  void several_sizes(const Expression& e, std::vector<Expression>& sizes);
  /// x += y. Errors: shape.conflict, call.arguments
  Term in_place(const Expression& e);
  /// See expr::broadcast_sum. Errors: `shape.conflict` where the sum has another shape than its second operand.
  Term broadcast_to(const Expression& e);
  void require_double(const Dim& width, const Dim& pairs, std::span<const int> operands, const char* why) override;
  bool make_even(const Dim& d) override;
  using ShapeRules::broadcast;
  Dim broadcast(const Dim& a, const Dim& b, std::span<const int> operands) override;
  [[noreturn]] void fail(const std::string& message, const std::string& hint) override;
 private:

  // ---- names ----
  static Term variable(const std::string& name, const Shape& shape, Span span);
  void add_variable(const std::string& name, const Shape& shape, bool declared, Span span);
  /// `assume d == h*k` and `assume k == 4` define a size; applied before shapes are inferred.
  void define_sizes();
  /// False when the equation is known already, or defines nothing.
  bool define_size(const expr::Assumption& a);
  /// Like every size, one that an assumption defines is at least 1.
  void add_least_size(Problem& p, const std::string& name, const Dim& value);
  bool define_by(const Dim& x, const Dim& y);
  /// n - t - s == 0 defines the alphabetically last name that stands alone.
  bool define_by_difference(const Dim& difference);
  /// d % h == 0 defines d as h times a new size.
  bool define_by_ratio(const Dim& difference);
  bool define_by_remainder(const Dim& x, const Dim& y);
  /// A name for a size that the claim does not name.
  std::string new_size();
  bool taken(const std::string& name) const;
  bool is_size_relation(const expr::Assumption& a) const { return a.relation && is_size(a.lhs) && is_size(a.rhs); }
  /// Only names of sizes and integers, with at least integer arithmetic between them.
  bool is_size(const Expression& e) const;
  /// What the name e is defined to be; null for other names, and for what is no name.
  Expression defined_as(const Expression& e) const;
  /// What e is where names stand for what they are defined to be, and that may be a name again.
  Expression behind_names(Expression e) const;
  /// `assume W_K == W_Q` replaces the variable everywhere: exact for proof and for every generated instance.
  void substitute_variables();
  static bool mentions(const Term& t, const std::string& name);
  /// t with the variable replaced by a value of the same shape.
  static Term replaced(const Term& t, const std::string& name, const Term& value, std::map<Term, Term>& done);

  // ---- errors ----
  std::string here() const { return current_ ? ", in `" + shorten(expr::text(current_)) + "`" : ""; }
  static std::string shorten(std::string s);
  std::string describe(const Shape& shape) const;
  bool unify(const Dim& a, const Dim& b);
  /// The same of all axes, of which there must be as many.
  bool unify(const Shape& a, const Shape& b);
  /// Where an undeclared variable got the size `d`: the expression that fixed it.
  std::string reason(const Term& variable) const;
  std::string product_that_fits();
  [[noreturn]] void conflict(const Dim& a, const Dim& b, std::span<const int> operands, const char* why);

  // ---- equations between sizes ----
  /// The sizes whose sum (concat) or product (kron) is the size of an axis; empty for other axes.
  struct Parts {
    std::vector<Dim> sizes;
    bool product = false;
  };
  /// An equation that has several solutions, or none that is known yet.
  struct Postponed {
    Dim a, b;
    Parts left, right;
    Expression at;
    std::vector<Term> args;
    std::function<void()> fail;
  };
  using Places = std::vector<std::pair<Term, std::size_t>>;  ///< tensors and axes
  /// Makes x and y equal, now or in settle(); `first` and `second` are where these sizes stand. Calls `fail` when it cannot be.
  void equate(const Dim& x, const Dim& y, const Places& first, const Places& second, std::function<void()> fail);
  bool divide_evenly(const Dim& difference);
  Parts parts(const Term& t, std::size_t axis, int& budget) const;
  /// Whether both sides have the same number of parts: blocks are then meant to meet blocks.
  static bool aligned(const Postponed& p);
  /// Makes the sizes equal one by one if that solves the equation.
  bool pairwise(const Postponed& p, const std::vector<Dim>& left, const std::vector<Dim>& right);
  /// Solves the postponed equations: first those with one solution, then block by block, then most generally.
  void settle();
  void choose();

  // ---- sizes ----
  Dim size(const Expression& e);
  /// rank(matrix) as a size; one size for each text.
  Dim rank_size(const Expression& matrix);
  /// Whether a comprehension index in scope occurs free in e.
  bool mentions_index(const Expression& e) const;

  // ---- terms ----
  Term term(const Expression& e);
  static Term number(const Rational& value, Span span);
  static Term size_term(const Dim& d, Span span);
  Term name(const Expression& e);
  /// Errors: call.mask
  void refuse_truth_in_torch(const Expression& e) const;
  void refuse_negative_power(const Expression& e) const;
  /// x.view(sizes) where the axes of x have changed places. Errors: call.arguments
  Term viewed(const Expression& e);
  /// Errors: name.two_meanings
  void refuse_size_as_matrix(const Expression& e) const;
  template <class Op>
  Term apply(const Expression& e, const std::vector<Expression>& operands) {
    std::vector<Term> args;
    for (const auto& x : operands) args.push_back(term(x));
    return apply(expr::operator_id<Op>(), e, std::move(args), {});
  }
  /// Runs the shape rule of an operator on typed operands.
  Term apply(int op, const Expression& e, std::vector<Term> args, std::vector<Dim> sizes, std::optional<std::int64_t> axis = {}, Rational exponent = {});
  void check_dropped_axis(int op, const expr::Call& call);
  std::optional<Rational> constant(const Expression& e) const;
  bool is_positive_base(const Expression& e) const;
  Term power(const Expression& e);
  Term index(const Expression& e);
  std::vector<expr::Subscript> all_axes(const std::vector<expr::Subscript>& written, std::size_t rank);
  /// (step, place) of each slice, and the slices in `sizes` stretched to whole steps: X[:, 1::2] of 2*p columns takes place 1 of
  /// every two of all of them, X[:, 1:5:2] place 0 of every two from 1 on.
  std::vector<Dim> stretch(const std::vector<expr::Subscript>& written, const Shape& shape, std::vector<Dim>& sizes);
  bool is_below(const Dim& place, const Dim& step) const;
  Dim turned_end(const Expression& written, const Dim& extent);
  /// base[t] with token numbers t, or nothing when the subscripts are positions.
  Term take(const Expression& e, const Term& base);
  /// The list of whole numbers that e is defined to be, as idx = np.array([2, 0, 1]); null for other expressions.
  Expression whole_numbers(const Expression& e) const;
  /// What np.array([1, 0, 1]) == 1 says of each place, also behind a name and ~; nothing for others.
  std::optional<std::vector<bool>> written_truth(const Expression& e) const;
  /// The same, and lists of such lists, [[0, 1], [2, 3]]; of what is reshaped to one axis the one list.
  Expression written_tokens(const Expression& e) const;
  /// E[idx] as np.stack([E[2], E[0], E[1]]), along that axis.
  Term at_places(const Expression& e, std::ptrdiff_t axis, const expr::Syntax& places);
  /// Refuses whole numbers whose bounds are none of places: Python counts negative ones from the end, and refuses those beyond it.
  void require_inside(const Term& numbers, const Dim& places, const Expression& e);
  Term rows_of_identity(const Expression& e, const Expression& places, const Expression& size);
  /// Rejects what is certainly outside; what depends on sizes is checked by the kernel and on every instance.
  /// Below 0 for all sizes (at least 1) and comprehension indices, ranks and quotients (at least 0), such as -k and -i - 1.
  bool always_negative(const Dim& d) const;
  void check_inside(const Expression& e, const Dim& extent, const expr::Subscript& s, const std::vector<Dim>& sizes);
  /// `stop` is one more than the last place that subscripts reach: where it grows with the index of a comprehension, as in
  /// X[i:i+1] for i in range(n), the comprehension walks along the axis, which ends with it unless something else says where.
  void note_walk(const Dim& extent, const Dim& stop);
  void end_walks();

  // ---- calls ----
  Term call(const Expression& e);
  /// sum(x, axis=1, keepdims=False): the axis of size 1 is dropped, as NumPy does unless it is told to keep it.
  Term without_axis(const Expression& e);
  Term first_along(const Expression& e, const Term& t, std::size_t begin, std::size_t end);
  Term first_entries(const Expression& e);
  static Expression argument(const Expression& e, std::size_t k);
  /// `rank` is that of the operand, where it is known: PyTorch's softmax goes by it.
  std::optional<std::int64_t> keyword_axis(const Expression& e, std::size_t rank = 2) const;
  Term call_operator(int op, const Expression& e);
  Term einsum(const Expression& e);
  Term matrix_power(const Expression& e);
  Term swapaxes(const Expression& e);
  Term transpose_first(const Expression& e);
  Term library_diagonal(const Expression& e);
  Term join_list(const Expression& e, const Expression& list);
  Term over_heads(const Expression& e, const Expression& comprehension);
  bool asks_for_numbers(const Expression& body, const std::string& index) const;
  /// A name of its own for an index of so many values, so that nested comprehensions cannot capture each other.
  std::string new_index(std::string name, const Dim& count);
  /// The values of the body at all values of the index.
  Term stack_of(const std::string& index, const Dim& count, const Term& body, Span span) const;
  void refuse_keywords(const Expression& e);

  // ---- what NumPy has as one function or notation ----
  bool holds_tensors(const Expression& list);
  Term literal(const Expression& e, bool blocks = false);
  static bool is_shape_entry(const Expression& e);
  Dim shape_entry(const Expression& e);
  Term of_all_entries(const Expression& e, bool keeps_axes);
  Term number_of_entries(const Expression& e);
  /// Errors: call.product
  Term log_factor(const Expression& e);

  // ---- masks ----
  bool is_mask(const Expression& e) const;
  /// Whether the mask e surely holds the numbers 0 and 1, and no truth values.
  bool holds_numbers(const Expression& e) const;
  bool counts(const Expression& e) const;
  Expression cut_or_moved(const Expression& e) const;
  /// Errors: call.mask
  void require_mask(const Expression& e) const;
  std::optional<std::pair<Expression, bool>> asks_mask(const Expression& e) const;
  bool is_truth(const Expression& e) const;
  bool is_of_python(const Expression& e) const;
  /// Errors: call.mask where all operands are truth values
  void refuse_truth(const Expression& e) const;
  bool counts(const Expression& e, bool& places) const;
  /// Whether Python may keep the values of e as whole numbers or truth values. `made` says what zeros(...), ones(...) and eye(...) are
  /// taken for, which have real numbers unless a dtype says something else; with it a tensor is only whole where an assumption says so.
  bool may_be_whole(const Expression& e, bool made) const;
  bool chooses(const std::string& name) const;
  /// Whether an assumption says that the entries are whole numbers, which Python may keep as such.
  bool is_assumed_whole(const std::string& name) const;
  /// Errors: call.arguments where what is made gets the type of whole numbers or truth values
  void require_types() const;
  /// Errors: call.arguments where places of the array could not hold the value
  void require_kept(const Expression& array, const Expression& value, Span span) const;
  /// Errors: call.arguments for full_like(x, c) where the array could not hold c
  void require_like(const Expression& e) const;
  /// Comparisons of positions, such as arange(n)[:, None] >= arange(n)[None, :].
  bool compares_places(const Expression& e) const;
  Term condition(const Expression& e);
  Term compared(const Expression& e);
  Term compared_indices(const Expression& e);
  /// x > 0, where neither positions are compared nor a mask is asked for.
  bool compares_numbers(const Expression& e) const;
  /// What is asked of a definition is asked once, however often others use it.
  static bool remembered(std::map<std::string, bool>& answers, const std::string& name, const std::function<bool()>& ask);
  /// Whether a mask is made of such comparisons.
  bool depends_on_numbers(const Expression& e) const;
  /// Errors: call.mask where what is compared may have no value, or depends on the index of a comprehension
  Term compared_numbers(const Expression& e);
  std::optional<bool> compared_by_assumptions(const Expression& written) const;
  Term compared_by_signs(const Expression& e, const Expression& left, const Expression& right);
  bool is_python_list(const Expression& e) const;
  /// The list that e is, or that np.array makes it of, and which has items; null for others.
  Expression written_list(Expression e) const;
  Expression written_numbers(const Expression& e) const;
  Expression compared_each(expr::Relation relation, const Expression& left, const Expression& right) const;
  /// A comparison of numbers, its mask, and the r that says what the mask is where they are equal.
  struct Comparison {
    Expression written;
    Term mask, scale;
  };
  bool is_surely_positive(const Expression& e) const;
  bool is_surely_nonnegative(const Expression& e) const;
  bool is_assumed_above_0(const Expression& e, std::pair<expr::Relation, expr::Relation> relations, const char* predicate) const;
  std::vector<Comparison>::iterator known_comparison(const Expression& written, const Shape& shape);
  Comparison new_comparison(const Expression& written, const Term& measured);
  /// x - y for x > y
  Term difference(const Expression& comparison);
  void assume_meaning(Problem& p, const Expression& comparison, const Term& lhs, const Term& rhs, const char* predicate = "") const;
  void add_comparison_facts(Problem& p);
  void add_facts_of_both(Problem& p, const Comparison& a, const Comparison& b);
  /// An array of that shape, of at most two axes: `entry` makes what stands at the row and the column that it is given.
  Term at_each_place(const Expression& e, const Shape& shape, const std::function<Term(const Dim& row, const Dim& column)>& entry);
  /// Errors: call.mask where positions are divided by positions
  Term divided_place(const Expression& e);
  Term where(const Expression& e);
  /// finite + neginf(mask); none of the one or of the other.
  struct Masked {
    Term finite, mask;
  };
  std::optional<Masked> as_masked(const Expression& e, const Term& t);
  /// Whether minus infinity is written somewhere in t.
  static bool is_infinite(const Term& t);
  std::optional<Term> triangle_of_masked(const Expression& e, int op, const Term& t, const std::vector<Dim>& sizes);
  bool has_value_of_numbers(const Expression& e) const;
  Expression with_value_elsewhere(const Expression& condition, const Expression& value, bool holds) const;
  /// where(x > 0, P, Q) of numbers x that are no masks, where P and Q meet at 0.
  bool may_lack_value(const Expression& e) const;
  std::optional<Term> chosen_by_sign(const Expression& condition, const Expression& above, const Expression& below);
  static Expression all_infinite(const Expression& e);
  /// Whether an infinity is written somewhere in e.
  static bool names_infinity(const Expression& e);

  // ---- parts, repetitions and orders of arrays ----
  /// chunk(x, 3, axis=-1)[i], split(x, k)[i], unbind(x)[i]
  static bool is_part(const Expression& e) { return e->kind == SyntaxKind::index && expr::gives_parts(*e->args[0]); }
  /// Whether the function gives several tensors, of which one is taken by its number.
  Term part(const Expression& e);
  Term stacked_parts(const Expression& e);
  /// The axis that chunk, split and the like divide. Errors: call.keyword, call.arguments where it is said twice.
  std::size_t axis_of_parts(const Expression& call, const Shape& shape);
  Term repeated(const Expression& e);
  Term tiled(const Expression& e);
  Term rearranged(const Expression& e);
  Term rolled(const Expression& e);
  Term padded(const Expression& e);
  Term padded(const Expression& e, Term x, std::size_t axis, const Expression& before, const Expression& after, bool only_adds);
  /// f of every vector of token numbers in t: [b, n], in the places that the vectors have.
  Term of_each_row(const Expression& e, const Term& t, const std::function<Term(const Term&)>& f);
  Term reshaped(const Expression& e, const Term& t, const Shape& shape) { return apply(expr::operator_id<expr::ops::Reshape>(), e, {t}, shape); }
  Term flattened(const Expression& e);
  Term unflattened(const Expression& e);
  Term squeezed(const Expression& e);
  Term moved(const Expression& e);
  /// What a mask of attention adds to the scores: nothing and minus infinity for truth values, else its numbers. Errors: `call.mask`.
  Term added_mask(const Expression& e);
  /// What cross_entropy multiplies logarithms of probabilities with: of token numbers 1 for the class, else the share of each class. Classes are on the last axis.
  Term class_targets(const Expression& e);
  /// Which axes of x, which e says, do not lie right behind the axis before them: those of parts of a tensor, and those that expand repeats.
  std::vector<bool> apart_in_memory(const Expression& e, const Term& x);
  Term zipped(const Expression& e);
  Term filled(const Expression& e);
  /// Errors: call.arguments
  Term begun(const Expression& e);
  Term at_place(const Expression& e);
  bool never_negative(Dim d) const;
  /// Whether d is surely at least so much, for all sizes that the assumptions leave, as far as one of them tells.
  bool is_at_least(const Dim& d, std::int64_t least);
  /// Where a slice begins or ends, as a number from the beginning: what is below 0 counts from the end. Errors: `shape.subscript` where that depends on the sizes.
  Dim place_in(const Expression& written, const Dim& extent, bool slice);
  bool has_index(const Dim& d) const;
  bool goes_round(const Dim& place, const Dim& extent) const;
  Term same_shape(const Expression& e);
  Term shape_difference(const Expression& e);
  /// x of sized(x, d) and shaped(x, [n, d]). Errors: shape.conflict
  Term of_stated_shape(const Expression& e);
  /// any_entries(name, x): a variable in the shape of x.
  Term any_entries(const Expression& e);
  /// of_vector(x, value), where NumPy has another value for what is no vector.
  Term of_vector(const Expression& e);
  Term kronecker(const Expression& e);
  /// assigned(x, x[places], number)
  Expression spread_out(const Expression& value, const Expression& step, std::size_t axis, const Term& t, const Term& given);
  Expression with_plain_places(const Expression& places, std::size_t axes);
  Term assigned(const Expression& e);
  bool is_surely_truth(const Expression& e) const;
  std::optional<Term> assigned_within(const Expression& e, const Term& t);
  std::optional<Term> assigned_part(const Expression& e, const Term& t);
  std::optional<std::vector<Term>> parts_within(const Expression& e, const Term& t, std::size_t axis, const Dim& from, const Dim& to);
  std::optional<Term> assigned_by_mask(const Expression& e, const Term& t);
  Term contracted(const Expression& e);
  Term multiplied(const Expression& e);
  Term axis_moved(const Expression& e, const Term& t, std::size_t from, std::size_t to);
  /// The first axis in the place that the axis of the call says.
  Term first_moved(const Expression& e, const Term& t);
  /// Axes of size 1 are stretched to `shape`.
  Term stretched(const Expression& e, const Term& t, const Shape& shape);
  /// An axis by its number, from the end where negative. Errors: call.axis at `span`.
  std::size_t counted(std::int64_t axis, const Shape& shape, Span span) const;
  /// The same as it is written; the first where nothing is.
  std::size_t axis_of(const Expression& e, const Expression& written, const Shape& shape) const;
  static Expression keyword(const Expression& e, std::string_view one, std::string_view other);

  /// Whether the parts get a new first axis, as vectors do in vstack. Refuses what joins along one axis in NumPy and another here.
  bool stacks(const Expression& e, const Term& part) const;

  // ---- assumptions ----
  /// The sides become one shape; a vector [d] beside a row [1, d] is that row.
  void require_same_shape(Term& lhs, Term& rhs, Span span);
  /// A row or a column of bounds holds for every row or column: softmax(S) @ V <= colmax(V); and so where np.allclose compares the sides, unless `order`.
  void repeat_sides(Term& lhs, Term& rhs, bool order);
  /// t with leading axes of size 1 where `shape` has them and t has none.
  Term as_row_of(const Term& t, const Shape& shape);
  /// t with so many axes of size 1 in front.
  Term with_axes_in_front(const Term& t, std::size_t count);
  static void square_root(Fact& f);
  void add_fact(Problem& p, const expr::Assumption& a, std::size_t number);
  void check_predicate(const Fact& f, const expr::Assumption& a);

  // ---- finish ----
  /// Gives unknown sizes the names people use, in order of the variables.
  std::map<std::string, Dim> names_of_unknown_sizes() const;
  void name_unknown_sizes();
  void finish(Problem& p);
  /// Errors: shape.size where a size is 0 or less.
  static void require_entries(const Shape& shape, const std::string& what, Span span);
  Term finish(const Term& t);
  void note_sizes(const Dim& d);
  const expr::Claim& claim_;
  const Names& names_;
  Sizes sizes_;
  std::vector<Variable> variables_;
  std::map<std::string, Term> by_name_;
  std::map<std::string, Term> definitions_;
  std::map<std::string, Span> origin_;
  std::map<std::string, Expression> learned_;
  std::map<std::string, std::string> index_scope_;  // as written -> unique
  std::vector<Term> sized_;     ///< what sizes are taken of
  std::vector<Term> measured_;  ///< what must have its axes for all sizes: only its shape counts in what is made of it
  std::map<std::string, Dim> index_range_;          // unique name -> number of values
  std::set<std::string> used_indices_;
  std::set<std::string> made_sizes_;
  std::vector<Postponed> postponed_;
  std::vector<std::pair<Dim, Dim>> walks_;  ///< axis, and where it ends
  std::set<std::string> replaced_;
  std::set<std::string> any_entries_;  ///< variables that any_entries made
  std::set<Term> dropped_;  ///< sums and the like that lost an axis behind the first one, and what functions make of them
  std::vector<RankSize> ranks_;
  std::vector<Comparison> comparisons_;
  mutable std::map<std::string, bool> depends_on_numbers_, may_lack_value_, is_truth_, is_mask_, is_of_python_, is_positive_base_, holds_numbers_, counts_, may_be_whole_, made_whole_;  // by the name of the definition
  std::set<std::size_t> substituted_;
  std::vector<const expr::Assumption*> undefined_relations_;
  std::map<Term, Term> finished_;  // keyed by the owner, so that no address is reused
  std::vector<std::string> size_names_;
  Expression current_;
  std::vector<Term> current_args_;
  std::size_t freedom_ = 0;
};

}  // namespace foldproof::infer
