// SPDX-License-Identifier: MIT
#include "expr/build.hpp"
#include "infer/names.hpp"

#include <algorithm>
#include <optional>

#include "expr/character_hints.hpp"
#include "expr/operators.hpp"
#include "read/numpy.hpp"

namespace foldproof::infer {
namespace {

using expr::Expression;
using expr::Syntax;
using expr::SyntaxKind;

/// Where an undeclared name may be something else than a matrix: (function, position) -> rank.
const std::map<std::pair<std::string, std::size_t>, std::size_t> operand_ranks = {
    {{"rope", 1}, 1},     {{"rope", 2}, 0}, {{"rope_half", 1}, 1}, {{"rope_half", 2}, 0}, {{"rot", 0}, 1},  {{"rot", 1}, 0}, {{"sinus", 1}, 1},
    {{"sinus", 2}, 0}, {{"sinshift", 0}, 1},  {{"sinshift", 1}, 0}, {{"onehot", 0}, 1}, {{"take", 1}, 1}, {{"rmsnorm", 1}, 0}, {{"layernorm", 1}, 0}};

bool is_arithmetic(SyntaxKind k) {
  return k == SyntaxKind::negate || k == SyntaxKind::add || k == SyntaxKind::subtract || k == SyntaxKind::multiply || k == SyntaxKind::divide || k == SyntaxKind::power;
}

bool is_function(const std::string& name) {
  const int id = expr::find_operator(name);
  return id >= 0 && name == expr::operator_info(id).name;
}

using expr::is_ellipsis;
using expr::is_new_axis;

/// How many axes the left side of a pattern of einops has: names and brackets, 'b n (h k) -> b h n k' three. None where it has `...`.
std::optional<std::size_t> axes_of_pattern(const std::string& pattern) {
  const std::string left = pattern.substr(1, pattern.find("->") - 1);
  std::size_t count = 0;
  bool inside = false, word = false;
  for (const char c : left) {
    if (c == '.') return std::nullopt;
    const bool begins = c == '(' || (c != ' ' && c != ')' && !inside && !word);
    count += begins ? 1 : 0;
    inside = (inside || c == '(') && c != ')';
    word = c != ' ' && c != '(' && c != ')';
  }
  return count;
}

class Reader {
 public:
  explicit Reader(const expr::Claim& claim) : claim_(claim) {
    refuse_reserved(claim);
    for (const auto& d : claim.declarations) {
      declared_.insert(d.name);
      for (const auto& size : d.shape) note_sizes(size);
    }
    for (const auto& d : claim.definitions) {
      declared_.insert(d.name);
      for (const auto& size : d.shape.value_or(expr::Shape{})) note_sizes(size);
      if (plain(d.value, true)) arithmetic_.insert(d.name);
      if (counts_places(d.value)) places_.insert(d.name);
    }
    for_each_side(claim, [&](const Expression& e) { refuse_hidden_indices(claim, e); });
    for_each_side(claim, [&](const Expression& e) { find_matrices(e); });
    // Sizes first: a name used as a size anywhere is a size everywhere.
    find_tokens(claim);
    const std::set<std::string> declared_sizes = names_.sizes;
    for (int pass = 0; pass < 2; ++pass) for_each_side(claim, [&](const Expression& e) { find_sizes(e); });  // what is a size on one side is on the other
    for (const auto& a : claim.assumptions) {
      if (a.relation != expr::Relation::equal) continue;
      for (const Expression& side : {a.lhs, a.rhs}) {
        if (side->kind == SyntaxKind::name && is_generator(side == a.lhs ? a.rhs : a.lhs)) assumed_.insert(side->name);
      }
    }
    for_each_side(claim, [&](const Expression& e) { refuse_constants(e, declared_sizes); });
    find_numbers(claim);
    if (is_only_arithmetic(claim)) {
      for (const auto& d : claim.definitions) {
        if (arithmetic_.count(d.name) > 0) all_names_are_sizes(d.value);
      }
      all_names_are_sizes(claim.lhs);
      all_names_are_sizes(claim.rhs);
      if (declared_.empty()) for_each_side(claim, [&](const Expression& e) { all_names_are_sizes(e); });
    }
    relations_between_sizes(claim);
    for (const auto& d : claim.definitions) {
      if (names_.sizes.count(d.name) > 0) expr::fail("name.two_meanings", "`" + d.name + "` is a size here and gets another value", d.span, "give the value another name; sizes may be named by sums and products of others: k = d // h");
    }
    visit_claim(claim);
    for (const auto& [name, least] : least_) {
      if (whole_.count(name) > 0 && declared_.count(name) == 0 && fixed_.count(name) == 0 && names_.rank[name] > least) names_.as_matrix[name] = least;
    }
    for (const auto& name : names_.tensors) {
      if (names_.rank.count(name)) continue;
      if (diagonal_use_.count(name)) {
        names_.diagonals[name] = matrix_use_.count(name) > 0;
      } else if (matrix_use_.count(name) == 0) {
        names_.entrywise_only.insert(name);
      } else if (entrywise_use_.count(name)) {
        names_.entrywise_too.insert(name);
      }
    }
  }
  Names take() { return std::move(names_); }

 private:
  template <class Visit>
  static void for_each_side(const expr::Claim& claim, const Visit& visit) {
    for (const auto& d : claim.definitions) visit(d.value);
    visit(claim.lhs);
    visit(claim.rhs);
    for (const auto& a : claim.assumptions) {
      visit(a.lhs);
      if (a.rhs) visit(a.rhs);
    }
  }

  /// Names of ranks as sizes are foldproof's own: nobody else says what they stand for.
  static void refuse_reserved(const expr::Claim& claim) {
    const auto refuse = [](const std::string& name, const expr::Span& span) {
      if (expr::is_rank(name)) expr::fail("name.reserved", "names that begin with `" + std::string(expr::rank_prefix) + "` are foldproof's own", span, "choose another name; the rank of a matrix is rank(A)");
    };
    for (const auto& d : claim.declarations) {
      refuse(d.name, d.span);
      for (const auto& size : d.shape) {
        std::vector<std::string> names;
        expr::collect_names(size, names);
        for (const auto& name : names) refuse(name, d.span);
      }
    }
    for (const auto& d : claim.definitions) refuse(d.name, d.span);
    for_each_side(claim, [&](const Expression& e) { for_each_name(e, refuse); });
  }
  template <class Visit>
  static void for_each_name(const Expression& e, const Visit& visit) {
    if (!e) return;
    if (e->kind == SyntaxKind::name || e->kind == SyntaxKind::comprehension) visit(e->name, e->span);
    for (const auto& a : e->args) for_each_name(a, visit);
    for (const auto& k : e->keywords) for_each_name(k.second, visit);
    for (const auto& s : e->subscripts) {
      for_each_name(s.start, visit);
      for_each_name(s.stop, visit);
      for_each_name(s.step, visit);
    }
  }

  /// Token numbers: names in take(E, t) and onehot(t, n), and names whose entry chooses a row or a head, as in E[t[i]]. A name
  /// that is assumed to be a permutation is a list of numbers where it stands between brackets.
  void find_tokens(const expr::Claim& claim) {
    std::set<std::string> permutations;
    for (const auto& a : claim.assumptions) {
      if (!a.relation && a.lhs->kind == SyntaxKind::call && a.lhs->name == "permutation" && a.lhs->args.size() == 1 && a.lhs->args[0]->kind == SyntaxKind::name) permutations.insert(a.lhs->args[0]->name);
    }
    for (const auto& d : claim.definitions) tokens_in(d.value, permutations);
    tokens_in(claim.lhs, permutations);
    tokens_in(claim.rhs, permutations);
    for (const auto& a : claim.assumptions) {
      if (a.relation) tokens_in(a.lhs, permutations), tokens_in(a.rhs, permutations);
    }
  }
  void tokens_in(const Expression& e, const std::set<std::string>& permutations) {
    const auto found = [&](const Expression& name) {
      if (name->kind != SyntaxKind::name || names_.sizes.count(name->name)) return;
      tokens_.insert(name->name);
      if (declared_.count(name->name) == 0) names_.rank[name->name] = 1;
    };
    if (e->kind == SyntaxKind::call && e->name == "take" && e->args.size() == 2) found(e->args[1]);
    if (e->kind == SyntaxKind::call && e->name == "onehot" && !e->args.empty()) found(e->args[0]);
    for (const auto& s : e->subscripts) {
      if (s.slice || !s.start) continue;
      if (s.start->kind == SyntaxKind::name && (permutations.count(s.start->name) || declared_.count(s.start->name))) found(s.start);
      if (s.start->kind == SyntaxKind::index && s.start->subscripts.size() == 1) found(s.start->args[0]);
      tokens_in(s.start, permutations);
    }
    for (const auto& a : e->args) tokens_in(a, permutations);
  }

  /// An undeclared `inf` or `pi` is NumPy's constant, which would be a tensor here.
  void refuse_constants(const Expression& e, const std::set<std::string>& declared_sizes) const {
    if (!e) return;
    if (e->kind == SyntaxKind::name && assumed_.count(e->name) == 0 && declared_.count(e->name) == 0 && indices_.count(e->name) == 0 && tokens_.count(e->name) == 0 && declared_sizes.count(e->name) == 0) {
      read::refuse_constant(e->name, e->span);
    }
    for (const auto& a : e->args) refuse_constants(a, declared_sizes);
    for (const auto& [key, value] : e->keywords) {  // axis=None, keepdims=True
      if (value->kind != SyntaxKind::name || !read::is_python_word(value->name)) refuse_constants(value, declared_sizes);
    }
    for (const auto& s : e->subscripts) {
      if (is_new_axis(s)) continue;
      refuse_constants(s.start, declared_sizes);
      refuse_constants(s.stop, declared_sizes);
      refuse_constants(s.step, declared_sizes);
    }
  }

  void note_sizes(const expr::Dim& d) {
    std::vector<std::string> found;
    expr::collect_names(d, found);
    names_.sizes.insert(found.begin(), found.end());
  }

  void all_names_are_sizes(const Expression& e) {
    if (!e || (e->kind == SyntaxKind::call && (e->name == "rank" || e->name == "shape"))) return;  // the rank of a matrix is a size, the matrix none
    if (e->kind == SyntaxKind::name && declared_.count(e->name) == 0 && indices_.count(e->name) == 0 && numbers_.count(e->name) == 0 && names_.rank.count(e->name) == 0) names_.sizes.insert(e->name);
    if (e->kind == SyntaxKind::index) return find_sizes(e);  // an entry t[i] of token numbers
    for (const auto& a : e->args) all_names_are_sizes(a);
  }

  void find_sizes(const Expression& e) {
    if (!e) return;
    if (e->kind == SyntaxKind::comprehension) {
      all_names_are_sizes(e->args[1]);  // the h of range(h) in `for h in range(h)` is no index yet
      indices_.insert(e->name);
    }
    for (const auto& s : e->subscripts) {
      if (s.start && !is_new_axis(s) && !is_ellipsis(s)) all_names_are_sizes(s.start);
      all_names_are_sizes(s.stop);
      all_names_are_sizes(s.step);
    }
    if (e->kind == SyntaxKind::call) {
      const int id = expr::find_operator(e->name);
      if (id >= 0) {
        const auto& info = expr::operator_info(id);
        const bool root = id == expr::operator_id<expr::ops::Sqrt>() || id == expr::operator_id<expr::ops::Rsqrt>();
        if (root && !e->args.empty() && is_named_size(e->args[0]) && multiplied_.count(e->args[0]->name) == 0) all_names_are_sizes(e->args[0]);
        const std::size_t tensors = static_cast<std::size_t>(std::min<int>(info.tensors_max, static_cast<int>(e->args.size())));
        for (std::size_t k = 0; k < e->args.size(); ++k) {
          const bool size = info.sizes_max > 0 && (info.sizes_first ? k < static_cast<std::size_t>(info.sizes_max) : k >= tensors || is_generator_size(e, info));
          if (size) all_names_are_sizes(e->args[k]);
        }
      }
    }
    if (expr::is_comparison(*e) && std::any_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return counts_places(a); })) all_names_are_sizes(e);  // i - j < w
    if ((e->kind == SyntaxKind::floor_divide || e->kind == SyntaxKind::modulo) && counts_places(e->args[0])) all_names_are_sizes(e->args[1]);  // i // k
    if (e->kind == SyntaxKind::floor_divide && !counts_places(e)) all_names_are_sizes(e);  // d // h
    static const std::set<std::string> counted = {"repeat", "repeat_interleave", "tile", "split", "chunk", "roll", "unflatten", "rearrange", "reduce", "padded", "sized", "shaped", "shape_difference"};  // what follows the tensor is a number
    const bool by_numbers = e->kind == SyntaxKind::call && counted.count(e->name) > 0;
    for (std::size_t k = 1; by_numbers && k < e->args.size(); ++k) {
      if (!expr::is_quoted(e->args[k])) all_names_are_sizes(e->args[k]);
    }
    for (const auto& a : e->args) find_sizes(a);
    for (const auto& [key, value] : e->keywords) {
      if (key == "shape" || (by_numbers && key != "axis" && key != "dim")) all_names_are_sizes(value);
    }
  }

  /// arange(n)[:, None], and what is made of it.
  bool counts_places(const Expression& e) const {
    if (e->kind == SyntaxKind::name) return places_.count(e->name) > 0;
    return makes_places(*e) || std::any_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return counts_places(a); });
  }

  /// Names that are factors of products of matrices, or transposed.
  void find_matrices(const Expression& e) {
    if (!e) return;
    if (e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index) {
      for (const auto& a : e->args) {
        if (a->kind == SyntaxKind::name) multiplied_.insert(a->name);
      }
    }
    for (const auto& a : e->args) find_matrices(a);
  }

  /// The d_k of sqrt(d_k), where nothing else says what it is.
  bool is_named_size(const Expression& e) const {
    return e->kind == SyntaxKind::name && declared_.count(e->name) == 0 && is_conventional_size(e->name) && (e->name.size() > 2 || e->name == "d" || e->name == "n" || e->name == "k" || e->name == "h");
  }

  /// tril(n): an operator that takes either a matrix or sizes is given sizes when its operand is an undeclared lower-case name.
  bool is_generator_size(const Expression& call, const expr::OperatorInfo& info) const {
    if (info.tensors_min != 0 || info.tensors_max == 0) return false;
    const auto& e = call->args[0];
    if (e->kind == SyntaxKind::name) return declared_.count(e->name) == 0 && e->name[0] >= 'a' && e->name[0] <= 'z' && !is_no_size(e->name);
    if (e->kind == SyntaxKind::number) return true;
    std::vector<std::string> found;  // tril(a + b) where one of them is a size, or all have names of sizes
    collect(e, found);
    const auto is_size = [&](const std::string& n) { return names_.sizes.count(n) > 0; };
    const auto may_be_size = [&](const std::string& n) { return is_size(n) || is_conventional_size(n); };
    const bool open = std::all_of(found.begin(), found.end(), [&](const std::string& n) { return is_size(n) || declared_.count(n) == 0; });
    return !found.empty() && plain(e) && open && (std::any_of(found.begin(), found.end(), is_size) || std::all_of(found.begin(), found.end(), may_be_size));
  }

  /// A claim whose sides are sums and products of undeclared names and ranks only, as definitions may be that they use, is about sizes when
  /// it compares with <= and none of its names is what people call numbers, and when it compares with == if nothing is declared and all its names are the
  /// field's names of sizes.
  bool is_only_arithmetic(const expr::Claim& claim) const {
    const bool equation = claim.relation == expr::Relation::equal;
    if (!plain(claim.lhs, !equation) || !plain(claim.rhs, !equation)) return false;
    if (!equation) return !names_a_number(claim);
    bool sizes = declared_.empty();
    for_each_side(claim, [&](const Expression& e) { sizes = sizes && counts(e); });
    return sizes;
  }
  /// What people call tensors and numbers, and no size.
  static bool is_no_size(const std::string& name) {
    static const std::set<std::string> names = {"x",     "y",    "z",     "X",     "Y",     "Z",     "u",  "A",     "Q",    "S",    "U",    "W",    "alpha", "att",   "attn",  "beta",  "beta1",  "beta2", "bias",  "cap", "delta", "eps", "epsilon", "eta",         "gain", "gamma", "kappa",
                                                "lam",   "lambda_", "logit", "logits", "loss", "lr",    "mask",  "mu", "omega", "phi", "prob",  "probs", "psi", "rho", "scale", "score", "scores", "sigma", "temperature", "tau",   "temp", "theta", "value", "values", "wei",  "weight", "weights"};
    return names.count(name) > 0;
  }
  /// let Q_i = Q @ W[i]; sum(Q_i for i in range(h)): outside of the comprehension `i` is another thing, and Python knows none.
  static void refuse_hidden_indices(const expr::Claim& claim, const Expression& e) {
    if (e->kind == SyntaxKind::comprehension) {
      for (const auto& d : claim.definitions) {
        if (!expr::mentions(e->args[0], d.name) || !is_free(e->name, d.value)) continue;
        expr::fail("name.two_meanings", "`" + d.name + "` uses `" + e->name + "`, which is an index in this comprehension only", e->span, "write what `" + d.name + "` stands for in its place: ... " + expr::text(d.value) + " ... for " + e->name + " in range(...)");
      }
    }
    for (const auto& a : e->args) refuse_hidden_indices(claim, a);
  }
  /// Whether e names it elsewhere than in a comprehension of its own that has this index.
  static bool is_free(const std::string& name, const Expression& e) {
    const auto range_only = [&](const Expression& part) { return part->kind == SyntaxKind::comprehension && part->name == name ? part->args[1] : nullptr; };
    return expr::mentions(expr::changed(e, range_only), name);
  }
  /// What people call sizes and nothing else: d, d_ff, n1, dk, batch. p and q are as often probabilities.
  static bool is_size_word(const std::string& name) {
    static const std::set<std::string> words = {"batch", "block", "channels", "context", "ctx", "depth", "dff", "dh", "dim", "dk", "dv", "experts", "ffn", "groups", "head_dim", "heads", "hidden", "inner", "kv_heads", "layers", "len", "length", "nh", "nkv", "nq", "rank", "seq", "seq_len", "tokens", "top_k", "vocab", "vocab_size", "width", "window"};
    const auto ends = [&](std::string_view with) { return name.size() > with.size() && name.compare(name.size() - with.size(), with.size(), with) == 0; };
    const std::string stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    return (is_conventional_size(stem) && stem != "p" && stem != "q") || words.count(name) > 0 || name.rfind("num_", 0) == 0 || ends("_dim") || ends("_len") || ends("_size") || ends("_heads");
  }
  /// Whether one of the names is what people call a number, or none is what they call a size: a, b and c are sizes beside n only. What
  /// bounds a rank is a size.
  bool names_a_number(const expr::Claim& claim) const {
    std::vector<std::string> found;
    for (const auto& d : claim.definitions) {
      if (arithmetic_.count(d.name) > 0) collect_outside_ranks(d.value, found);
    }
    collect_outside_ranks(claim.lhs, found);
    collect_outside_ranks(claim.rhs, found);
    std::vector<std::string> beside = found;
    for (const auto& a : claim.assumptions) {
      if (!a.relation || !plain(a.lhs) || !plain(a.rhs)) continue;
      collect_outside_ranks(a.lhs, beside);
      collect_outside_ranks(a.rhs, beside);
    }
    const bool sizes = found.empty() || compares_rank(claim.lhs) || compares_rank(claim.rhs) || std::any_of(beside.begin(), beside.end(), [&](const auto& name) { return is_size_word(name) && numbers_.count(name) == 0; });
    return !sizes || std::any_of(found.begin(), found.end(), is_no_size);
  }
  /// Names that are assumed to be above 0, or at most 1 or a fraction, which nobody says of a size; but of the p of x[:, :p].
  void find_numbers(const expr::Claim& claim) {
    for (const auto& a : claim.assumptions) {
      if (!a.relation || *a.relation == expr::Relation::equal || !a.rhs) continue;
      for (const auto& [name, bound] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
        if (name->kind != SyntaxKind::name || names_.sizes.count(name->name) > 0 || (is_size_word(name->name) && name->name != "r")) continue;
        const bool fraction = (bound->kind == SyntaxKind::negate || bound->kind == SyntaxKind::divide) && std::all_of(bound->args.begin(), bound->args.end(), [](const Expression& x) { return x->kind == SyntaxKind::number; });
        if (fraction || (bound->kind == SyntaxKind::number && (bound->value.is_zero() || !bound->value.is_integer() || bound->value.is_one()))) numbers_.insert(name->name);
      }
    }
  }
  static void collect_outside_ranks(const Expression& e, std::vector<std::string>& names) {
    if (e->kind == SyntaxKind::call && e->name == "rank") return;
    if (e->kind == SyntaxKind::name) names.push_back(e->name);
    for (const auto& a : e->args) collect_outside_ranks(a, names);
  }
  static bool counts(const Expression& e) {
    // Sizes among sizes, as often tensors elsewhere; and the sizes that a case of a claim is given.
    static const std::set<std::string> also = {"f", "g", "l", "t", "v", "L", "vocab", "rest", "quotient"};
    if (e->kind == SyntaxKind::call && e->name == "rank") return true;
    if (e->kind == SyntaxKind::name) return is_conventional_size(e->name) || also.count(e->name) > 0;
    return std::all_of(e->args.begin(), e->args.end(), counts);
  }
  bool plain(const Expression& e, bool roots = false) const {
    if (e->kind == SyntaxKind::name && declared_.count(e->name) > 0) return arithmetic_.count(e->name) > 0;
    if (e->kind == SyntaxKind::call) {
      if (e->name == "rank") return true;  // a size, whatever the matrix
      const bool root = roots && (e->name == "sqrt" || e->name == "log") && e->args.size() == 1;
      if (!root && ((e->name != "min" && e->name != "max") || e->args.size() < 2)) return false;
    } else if (!is_arithmetic(e->kind) && e->kind != SyntaxKind::name && e->kind != SyntaxKind::number && e->kind != SyntaxKind::floor_divide && e->kind != SyntaxKind::modulo) {
      return false;
    }
    return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return plain(a, roots); });
  }

  /// `assume k == d` is about sizes when all its names are sizes, or one side is a size and the other no tensor.
  void relations_between_sizes(const expr::Claim& claim) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& a : claim.assumptions) {
        if (!a.relation || !plain(a.lhs) || !plain(a.rhs)) continue;
        std::vector<std::string> found;
        collect_outside_ranks(a.lhs, found);
        collect_outside_ranks(a.rhs, found);
        const bool tensor = std::any_of(found.begin(), found.end(), [&](const auto& n) { return declared_.count(n) > 0 || numbers_.count(n) > 0 || is_no_size(n); });
        const bool size = compares_rank(a.lhs) || compares_rank(a.rhs) || std::any_of(found.begin(), found.end(), [&](const auto& n) { return names_.sizes.count(n) > 0; });
        if (tensor || !size) continue;
        for (const auto& n : found) changed |= names_.sizes.insert(n).second;
      }
    }
  }
  static bool compares_rank(const Expression& e) { return (e->kind == SyntaxKind::call && e->name == "rank") || std::any_of(e->args.begin(), e->args.end(), compares_rank); }
  static void collect(const Expression& e, std::vector<std::string>& names) {
    if (e->kind == SyntaxKind::name) names.push_back(e->name);
    for (const auto& a : e->args) collect(a, names);
  }

  void visit_claim(const expr::Claim& claim) {
    for (const auto& d : claim.definitions) visit(d.value, Place::entrywise);
    visit(claim.lhs, Place::entrywise);
    visit(claim.rhs, Place::entrywise);
    static const std::set<std::string> of_entries = {"positive", "nonzero", "nonnegative", "integer", "real"};
    for (const auto& a : claim.assumptions) {
      if (a.relation || a.lhs->kind != SyntaxKind::call) {
        // `assume b == zeros(1, k)` gives b a shape, whatever its other uses leave open.
        const bool shaped = a.rhs && (is_generator(a.lhs) || is_generator(a.rhs));
        visit(a.lhs, shaped ? Place::matrix : Place::entrywise);
        if (a.rhs) visit(a.rhs, shaped ? Place::matrix : Place::entrywise);
      } else {  // a predicate, also where a function has the same name
        for (const auto& operand : a.lhs->args) visit(operand, of_entries.count(a.lhs->name) ? Place::entrywise : Place::matrix);
      }
    }
  }

  /// A call that is made of sizes alone, such as ones(n, d).
  static bool is_generator(const Expression& e) {
    const int id = e->kind == SyntaxKind::call ? expr::find_operator(e->name) : -1;
    return id >= 0 && expr::operator_info(id).tensors_min == 0 && expr::operator_info(id).sizes_max > 0;
  }

  /// Where a name stands.
  enum class Place { entrywise, matrix, diagonal };

  void visit(const Expression& e, Place place) {
    if (!e) return;
    switch (e->kind) {
      case SyntaxKind::name:
        if (place == Place::matrix) whole_.insert(e->name);
        use(e, place);
        return;
      case SyntaxKind::index: {
        const auto& base = e->args[0];
        if (base->kind == SyntaxKind::call && base->name == "shape") return visit(base, place);  // says nothing of how many axes there are
        if (base->kind == SyntaxKind::name) {
          count_axes(base->name, e->subscripts);
          use(base, Place::matrix);
        } else {
          visit(base, Place::matrix);
        }
        for (const auto& s : e->subscripts) {
          if (!s.slice && s.start && !is_new_axis(s) && !is_ellipsis(s)) visit(s.start, Place::entrywise);
        }
        return;
      }
      case SyntaxKind::call: visit_call(e, place); return;
      case SyntaxKind::list: visit_numbers(e); return;
      default: {
        for (const auto& a : e->args) {
          if (e->kind == SyntaxKind::matmul && e->name == "bmm") fix_rank_of(a, 3);
          if (e->kind == SyntaxKind::matmul && (e->name == expr::torch_dot || (e->name == "mv" && a == e->args[1]))) fix_rank_of(a, 1);
        }
        if (e->kind == SyntaxKind::transpose && e->args[0]->kind == SyntaxKind::name) whole_.insert(e->args[0]->name);
        // A row may be transposed: (A / s) @ (s.T * B).
        for (const auto& a : e->args) visit(a, !is_arithmetic(e->kind) && e->kind != SyntaxKind::transpose ? Place::matrix : place == Place::diagonal ? place : Place::entrywise);
      }
    }
  }

  /// X[i] is a head and X[:, i] a column, where nothing else says how many axes X has.
  void count_axes(const std::string& name, const std::vector<expr::Subscript>& subscripts) {
    if (fixed_.count(name) > 0 || (names_.rank.count(name) > 0 && names_.rank[name] < 2)) return;
    const bool sliced = std::any_of(subscripts.begin(), subscripts.end(), [&](const auto& s) { return s.slice || is_ellipsis(s) || (s.start && s.start->kind == SyntaxKind::name && tokens_.count(s.start->name)); });
    const auto added = static_cast<std::size_t>(std::count_if(subscripts.begin(), subscripts.end(), is_new_axis));
    const std::size_t axes = subscripts.size() - added, least = std::max<std::size_t>(added > 0 ? 1 : 2, axes);
    const auto raise = [&](std::size_t& known, std::size_t rank) { known = std::max(known, rank); };
    raise(names_.rank[name], sliced || added > 0 ? least : axes + 2);
    raise(least_[name], least);
  }
  void fix_rank(const std::string& name, std::size_t rank) {
    names_.rank[name] = rank;
    fixed_.insert(name);
  }
  /// So many axes has e, and what gives it its axes: the X of X @ W, which has more than W.
  void fix_rank_of(const Expression& e, std::size_t rank) {
    static const std::set<std::string> keeping = {"exp", "relu", "gelu", "silu", "sigmoid", "tanh", "softmax", "layernorm", "rmsnorm", "l2norm", "swapaxes", "transpose01"};
    const auto divides = [](const Expression& x) { return x->kind == SyntaxKind::call && (x->name == "chunk" || x->name == "split") && !x->args.empty(); };
    if (e->kind == SyntaxKind::index && divides(e->args[0])) return fix_rank_of(e->args[0]->args[0], rank);
    if ((is_arithmetic(e->kind) || e->kind == SyntaxKind::matmul) || (e->kind == SyntaxKind::call && keeping.count(e->name) > 0 && !e->args.empty())) return fix_rank_of(e->args[0], rank);
    if (e->kind != SyntaxKind::name || indices_.count(e->name) > 0 || names_.sizes.count(e->name) > 0) return;
    const auto defined = std::find_if(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& d) { return d.name == e->name; });
    if (defined != claim_.definitions.end()) return fix_rank_of(defined->value, rank);
    if (declared_.count(e->name) == 0) fix_rank(e->name, rank);
  }

  /// The entries of a literal matrix are numbers.
  void visit_numbers(const Expression& list) {
    for (const auto& a : list->args) {
      if (a->kind == SyntaxKind::name && declared_.count(a->name) == 0 && indices_.count(a->name) == 0 && names_.sizes.count(a->name) == 0) fix_rank(a->name, 0);
      visit(a, Place::entrywise);
    }
  }
  /// Of a list that is given to a function: det([[a, b], [c, d]]), but not concat([A, B]) and not block([[A, B]]).
  static bool is_matrix_of_numbers(const Syntax& list, const std::string& function) {
    return function == "array" || (function != "block" && std::all_of(list.args.begin(), list.args.end(), [](const Expression& row) { return row->kind == SyntaxKind::list; }));
  }
  /// Those of a list that a function takes are what the function takes.
  void visit_parts(const Expression& list) {
    for (const auto& a : list->args) a->kind == SyntaxKind::list ? visit_parts(a) : visit(a, Place::matrix);
  }

  void visit_call(const Expression& e, Place place) {
    const bool lengths = e->name == "shape" || e->name == "zipped";  // of which for v in V goes through the first axis
    if (lengths && std::all_of(e->args.begin(), e->args.end(), [](const Expression& a) { return a->kind == SyntaxKind::name; })) {
      for (const auto& a : e->args) use(a, Place::matrix);
      return;
    }
    if (e->name == "einsum" && !e->keywords.empty()) {
      const std::vector<std::string> lists = einsum_lists(*e->keywords[0].second);
      for (std::size_t k = 0; k < e->args.size() && k + 1 < lists.size(); ++k) {
        if (e->args[k]->kind == SyntaxKind::name && lists[k].find('.') == std::string::npos) fix_rank(e->args[k]->name, lists[k].size());
      }
    }
    if (e->name == "any_entries" && e->args.size() == 2) return visit(e->args[1], Place::matrix);  // the first names what has the shape of the second
    if ((e->name == "rearrange" || e->name == "repeat" || e->name == "reduce") && e->args.size() > 1 && expr::is_quoted(e->args[1])) {
      if (const auto rank = axes_of_pattern(e->args[1]->name)) fix_rank_of(e->args[0], *rank);
    }
    // Functions of one number keep entrywise places entrywise; everything else looks at whole matrices.
    static const std::set<std::string> entrywise = {"exp", "log", "sqrt", "rsqrt", "abs", "relu", "gelu", "silu", "sigmoid", "tanh", "sin", "cos", "exp2", "elu", "erf"};
    const bool chooses = (e->name == "max" || e->name == "min") && e->args.size() > 1;  // between numbers
    for (std::size_t k = 0; k < e->args.size(); ++k) {
      const auto rank = operand_ranks.find({e->name, k});
      if (rank != operand_ranks.end() && e->args[k]->kind == SyntaxKind::name) fix_rank(e->args[k]->name, rank->second);
      if (e->args[k]->kind == SyntaxKind::list && !is_matrix_of_numbers(*e->args[k], e->name)) {
        visit_parts(e->args[k]);
        continue;
      }
      visit(e->args[k], e->name == "diag" || e->name == "np.diag" ? Place::diagonal : entrywise.count(e->name) == 0 && !chooses ? Place::matrix : place == Place::diagonal ? place : Place::entrywise);
    }
    for (const auto& [key, value] : e->keywords) {
      if (key == "eps") visit(value, Place::entrywise);
    }
  }

  void use(const Expression& e, Place place) {
    if (expr::is_quoted(e)) return;
    if (declared_.count(e->name) || names_.sizes.count(e->name) || indices_.count(e->name)) return;
    if (is_function(e->name)) expr::fail("name.function", "`" + e->name + "` is a function here, not a variable", e->span, "write " + e->name + "(...), or declare " + e->name + ": [n, d]");
    if (names_.first_use.emplace(e->name, e->span).second) names_.tensors.push_back(e->name);
    (place == Place::matrix ? matrix_use_ : place == Place::diagonal ? diagonal_use_ : entrywise_use_).insert(e->name);
  }

  const expr::Claim& claim_;
  Names names_;
  std::set<std::string> declared_;
  std::set<std::string> indices_;
  std::set<std::string> tokens_;
  std::set<std::string> assumed_;     ///< an assumption says what the name is equal to
  std::set<std::string> places_;      ///< definitions that are made of positions
  std::set<std::string> numbers_;     ///< see find_numbers()
  std::set<std::string> arithmetic_;  ///< definitions that are sums and products of undeclared names
  std::set<std::string> multiplied_;
  std::set<std::string> matrix_use_;
  std::set<std::string> entrywise_use_;
  std::set<std::string> diagonal_use_;
  std::set<std::string> whole_;               ///< names that stand without subscripts in places of matrices
  std::set<std::string> fixed_;               ///< names of which a function says how many axes they have
  std::map<std::string, std::size_t> least_;  ///< axes that the subscripts of a name need
};

}  // namespace

bool makes_places(const Syntax& s) { return s.kind == SyntaxKind::call && (s.name == "arange" || s.name == "positions" || s.name == "offsets"); }

bool is_conventional_size(const std::string& name) {
  static const std::set<std::string> sizes = {"n", "m", "d", "k", "h", "p", "q", "r"};
  return sizes.count(name) > 0 || name.rfind("d_", 0) == 0 || name.rfind("n_", 0) == 0;
}

std::vector<std::string> einsum_lists(const expr::Syntax& quoted) {
  const auto refuse = [&](const std::string& message, const std::string& hint) { expr::fail("call.arguments", message, quoted.span, hint); };
  std::string written;
  for (const char c : quoted.name.substr(1, quoted.name.size() - 2)) {
    if (c != ' ') written += c;
  }
  for (std::size_t dots = written.find("..."); dots != std::string::npos; dots = written.find("...")) written.replace(dots, 3, "*");
  std::replace(written.begin(), written.end(), '.', '?');
  std::replace(written.begin(), written.end(), '*', '.');
  const std::size_t arrow = written.find("->");
  const std::string operands = written.substr(0, arrow);
  std::vector<std::string> lists{""};
  for (const char c : operands) {
    if (!expr::is_letter(c) && c != ',' && c != '.') refuse(std::string("`") + c + "` is no subscript", "subscripts are letters, as in 'nd,dk->nk'");
    if (c == ',') lists.emplace_back();
    else lists.back() += c;
    if (std::count(lists.back().begin(), lists.back().end(), '.') > 1) refuse("`...` stands once for each operand", "give the other axes letters");
  }
  std::string result;
  if (arrow != std::string::npos) {
    result = written.substr(arrow + 2);
  } else {
    if (operands.find('.') != std::string::npos) result = ".";
    for (char c = 'A'; c <= 'z'; ++c) {
      if (std::count(operands.begin(), operands.end(), c) == 1) result += c;
    }
  }
  for (const char c : result) {
    if (operands.find(c) == std::string::npos || c == ',') refuse(std::string("`") + c + "` stands in the result only", "every letter of the result is one of an operand");
    if (std::count(result.begin(), result.end(), c) > 1) refuse(std::string("`") + c + "` stands twice in the result", "diag(v) makes a diagonal");
  }
  lists.push_back(result);
  return lists;
}

Names read_names(const expr::Claim& claim) { return Reader(claim).take(); }

}  // namespace foldproof::infer
