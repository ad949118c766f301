// SPDX-License-Identifier: MIT
#include "read/complex_numbers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "expr/build.hpp"
#include "expr/diagnostic.hpp"
#include "read/kinds.hpp"
#include "read/numpy.hpp"

namespace foldproof::read {
namespace {

struct Parts {
  Expression real, imaginary;
};

Expression binary(SyntaxKind kind, const Expression& a, const Expression& b) { return node(kind, {a, b}, {}, a->span); }
Expression sum(const Expression& a, const Expression& b) { return binary(SyntaxKind::add, a, b); }
Expression difference(const Expression& a, const Expression& b) { return binary(SyntaxKind::subtract, a, b); }
Expression negative(const Expression& a) { return node(SyntaxKind::negate, {a}, {}, a->span); }
Expression square(const Expression& a) { return binary(SyntaxKind::power, a, number(2)); }
Expression called(std::string_view function, const Expression& a) { return node(SyntaxKind::call, {a}, std::string(function), a->span); }
/// e with another first operand.
Expression of(const Expression& e, const Expression& first) {
  auto copy = std::make_shared<Syntax>(*e);
  copy->args[0] = first;
  return copy;
}
/// e with two other operands.
Expression of(const Expression& e, const Expression& first, const Expression& second) {
  auto copy = std::make_shared<Syntax>(*e);
  copy->args = {first, second};
  return copy;
}
/// x[..., k], where the last axis has two places.
Expression one_of_two(const Expression& x, std::int64_t k) {
  Syntax both{SyntaxKind::call, "unbind", {}, {x, negative(number(1))}, {{"parts", number(2)}}, {}, x->span};
  return part_of(std::make_shared<const Syntax>(std::move(both)), k);
}

/// Functions that take an array apart, turn it or add it up, so that they do the same to both parts.
constexpr std::string_view linear[] = {"reshape", "view", "transpose", "swapaxes", "transpose01", "flatten", "unflatten", "squeeze", "moveaxis", "movedim", "permute", "repeat_interleave", "repeat", "tile", "flip", "sum", "mean", "cumsum", in_order_call, typed_call, tensor_call, made_tensor_call, real_call, copied_call, "chunk", "split", "unbind", "roll"};
constexpr std::string_view conjugates[] = {"conj", "conjugate"};
constexpr std::string_view joining[] = {"stack", "concat", "vstack"};

class ComplexNumbers {
 public:
  explicit ComplexNumbers(Claim& claim) : claim_(claim) {
    for (const Declaration& d : claim.declarations) taken_.insert(d.name);
    for (const Definition& d : claim.definitions) taken_.insert(d.name);
    const std::function<void(const Expression&)> look = [&](const Expression& e) {
      if (e->kind == SyntaxKind::name) taken_.insert(e->name);
      each_part(e, look);
    };
    each_side(claim, look);
  }

  void run() {
    std::vector<Definition> definitions;
    for (Definition& d : claim_.definitions) {
      const auto found = parts(d.value);
      if (!found) {
        d.value = real(d.value);
        definitions.push_back(std::move(d));
        continue;
      }
      Parts named;
      for (const auto& [value, word, name] : {std::tuple{found->real, "_re", &named.real}, std::tuple{found->imaginary, "_im", &named.imaginary}}) {
        std::string fresh = d.name + word;
        while (!taken_.insert(fresh).second) fresh += "_";
        *name = node(SyntaxKind::name, {}, fresh, d.span);
        definitions.push_back({fresh, value, d.span});
      }
      names_[d.name] = named;
    }
    claim_.definitions = std::move(definitions);
    for (Assumption& a : claim_.assumptions) {
      a.lhs = a.lhs ? real(a.lhs) : a.lhs;
      a.rhs = a.rhs ? real(a.rhs) : a.rhs;
    }
    if (!parts(claim_.lhs) && !parts(claim_.rhs)) {
      claim_.lhs = real(claim_.lhs);
      claim_.rhs = real(claim_.rhs);
      return;
    }
    if (claim_.relation != Relation::equal) fail("call.arguments", "complex numbers have no order", claim_.lhs->span, "compare their magnitudes: abs(z) <= 1");
    claim_.lhs = side_by_side(as_complex(claim_.lhs));
    claim_.rhs = side_by_side(as_complex(claim_.rhs));
  }

 private:
  Parts as_complex(const Expression& e) {
    if (const auto z = parts(e)) return *z;
    const Expression x = real(e);
    return {x, binary(SyntaxKind::multiply, number(0), x)};
  }
  static Expression side_by_side(const Parts& z) {
    Syntax joined{SyntaxKind::call, "stack", {}, {node(SyntaxKind::list, {z.real, z.imaginary}, {}, z.real->span)}, {{"axis", negative(number(1))}}, {}, z.real->span};
    return std::make_shared<const Syntax>(std::move(joined));
  }
  static Expression magnitude(const Parts& z) { return called("sqrt", sum(square(z.real), square(z.imaginary))); }
  [[noreturn]] static void refuse(const Expression& e, const std::string& what) { fail("call.arguments", "complex numbers reach " + what + ", which is not read of them", e->span, "write it for real and imaginary parts, with cos and sin"); }

  /// The product of two, of which one may be real.
  Parts product(const Expression& e, const Expression& a, const Expression& b) {
    const auto x = parts(a), y = parts(b);
    const auto times = [&](const Expression& p, const Expression& q) { return of(e, p, q); };
    if (x && y) return {difference(times(x->real, y->real), times(x->imaginary, y->imaginary)), sum(times(x->real, y->imaginary), times(x->imaginary, y->real))};
    if (x) return {times(x->real, real(b)), times(x->imaginary, real(b))};
    return {times(real(a), y->real), times(real(a), y->imaginary)};
  }
  Parts quotient(const Expression& a, const Expression& b) {
    const auto x = parts(a), y = parts(b);
    const auto over = [&](const Expression& p, const Expression& q) { return binary(SyntaxKind::divide, p, q); };
    if (!y) return {over(x->real, real(b)), over(x->imaginary, real(b))};
    const Expression size = sum(square(y->real), square(y->imaginary));
    const Parts above = as_complex(a);
    const auto times = [&](const Expression& p, const Expression& q) { return binary(SyntaxKind::multiply, p, q); };
    return {over(sum(times(above.real, y->real), times(above.imaginary, y->imaginary)), size), over(difference(times(above.imaginary, y->real), times(above.real, y->imaginary)), size)};
  }
  Parts added(const Expression& e, const Expression& a, const Expression& b) {
    const Parts first = as_complex(a), second = as_complex(b);
    return {of(e, first.real, second.real), of(e, first.imaginary, second.imaginary)};
  }

  /// Nothing for real numbers.
  std::optional<Parts> parts(const Expression& e) {
    if (!e) return std::nullopt;
    const auto known = known_.find(e);
    if (known != known_.end()) return known->second;
    auto found = computed(e);
    return known_[e] = std::move(found);
  }
  std::optional<Parts> computed(const Expression& e) {
    switch (e->kind) {
      case SyntaxKind::name: {
        const auto known = names_.find(e->name);
        return known == names_.end() ? std::nullopt : std::optional(known->second);
      }
      case SyntaxKind::negate:
      case SyntaxKind::transpose:
      case SyntaxKind::index: {
        const auto z = parts(e->args[0]);
        return z ? std::optional(Parts{of(e, z->real), of(e, z->imaginary)}) : std::nullopt;
      }
      case SyntaxKind::add:
      case SyntaxKind::subtract: return parts(e->args[0]) || parts(e->args[1]) ? std::optional(added(e, e->args[0], e->args[1])) : std::nullopt;
      case SyntaxKind::multiply:
      case SyntaxKind::matmul: return parts(e->args[0]) || parts(e->args[1]) ? std::optional(product(e, e->args[0], e->args[1])) : std::nullopt;
      case SyntaxKind::divide: return parts(e->args[0]) || parts(e->args[1]) ? std::optional(quotient(e->args[0], e->args[1])) : std::nullopt;
      case SyntaxKind::power:
        if (!parts(e->args[0])) return std::nullopt;
        if (!is_number(e->args[1], 2)) refuse(e, "a power");
        // What stands for np.var(z) has its place in the text: NumPy takes squares of magnitudes there.
        if (e->span.begin == e->args[0]->span.begin && e->span.end == e->args[0]->span.end) refuse(e, "a mean of squares");
        return product(binary(SyntaxKind::multiply, e->args[0], e->args[0]), e->args[0], e->args[0]);
      case SyntaxKind::call: return of_call(e);
      default: return std::nullopt;
    }
  }
  std::optional<Parts> of_call(const Expression& e) {
    if (e->name == complex_call && e->args.size() == 2) return Parts{real(e->args[0]), real(e->args[1])};
    if (e->name == "polar" && e->args.size() == 2) return Parts{binary(SyntaxKind::multiply, real(e->args[0]), called("cos", real(e->args[1]))), binary(SyntaxKind::multiply, real(e->args[0]), called("sin", real(e->args[1])))};
    if (e->name == "view_as_complex" && e->args.size() == 1) return Parts{one_of_two(real(e->args[0]), 0), one_of_two(real(e->args[0]), 1)};
    if (e->args.empty()) return std::nullopt;
    if (is_among(e->name, joining)) {
      const bool list = e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list;
      const std::vector<Expression>& items = list ? e->args[0]->args : e->args;
      if (std::none_of(items.begin(), items.end(), [this](const Expression& a) { return parts(a).has_value(); })) return std::nullopt;
      std::vector<Expression> first, second;
      for (const Expression& a : items) {
        const Parts z = as_complex(a);
        first.push_back(z.real);
        second.push_back(z.imaginary);
      }
      const auto joined = [&](std::vector<Expression> operands) {
        auto copy = std::make_shared<Syntax>(*e);
        copy->args = list ? std::vector<Expression>{node(SyntaxKind::list, std::move(operands), {}, e->span)} : std::move(operands);
        return Expression(copy);
      };
      return Parts{joined(first), joined(second)};
    }
    if (e->name == "einsum" && e->args.size() == 2) return parts(e->args[0]) || parts(e->args[1]) ? std::optional(product(e, e->args[0], e->args[1])) : std::nullopt;
    const auto z = parts(e->args[0]);
    if (!z) return std::nullopt;
    if (is_among(e->name, conjugates)) return Parts{z->real, negative(z->imaginary)};
    if (e->name == "exp" && e->args.size() == 1) return Parts{binary(SyntaxKind::multiply, called("exp", z->real), called("cos", z->imaginary)), binary(SyntaxKind::multiply, called("exp", z->real), called("sin", z->imaginary))};
    if (is_among(e->name, linear)) return Parts{of(e, z->real), of(e, z->imaginary)};
    return std::nullopt;
  }

  /// e, which is real, with what it is made of real as well.
  Expression real(const Expression& e) {
    if (!e) return e;
    if (e->kind == SyntaxKind::call && e->args.size() == 1) {
      const auto z = parts(e->args[0]);
      if (z && e->name == "view_as_real") return side_by_side(*z);
      if (e->name == real_part_call) return z ? z->real : real(e->args[0]);
      if (z && e->name == "real") return z->real;
      if (z && (e->name == imaginary_part_call || e->name == "imag")) return z->imaginary;
      if (e->name == imaginary_part_call) fail("parse.unexpected", "this has no imaginary part", e->span, "complex numbers are made by torch.polar, view_as_complex and 1j");
      if (z && e->name == "abs") return magnitude(*z);
      if (!z && is_among(e->name, conjugates)) return real(e->args[0]);
      if (z && (e->name == "shape" || e->name == "ndim" || e->name == "numel")) return of(e, z->real);
    }
    if (parts(e)) refuse(e, "real ones");
    auto copy = std::make_shared<Syntax>(*e);
    for (Expression& a : copy->args) {
      if (e->kind == SyntaxKind::call && a && parts(a)) refuse(e, "`" + e->name + "`");
      a = real(a);
    }
    for (auto& keyword : copy->keywords) keyword.second = real(keyword.second);
    for (Subscript& s : copy->subscripts) {
      s.start = real(s.start);
      s.stop = real(s.stop);
      s.step = real(s.step);
    }
    return copy;
  }

  Claim& claim_;
  std::set<std::string> taken_;  ///< names of the claim, and those made here
  std::map<std::string, Parts> names_;
  std::map<Expression, std::optional<Parts>> known_;
};

}  // namespace

void write_out_complex_numbers(Claim& claim) {
  static constexpr std::string_view makers[] = {complex_call, "polar", "view_as_complex", real_part_call, imaginary_part_call};
  bool found = false;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    found = found || (e->kind == SyntaxKind::call && (is_among(e->name, makers) || is_among(e->name, conjugates)));
    each_part(e, look);
  };
  each_side(claim, look);
  if (found) ComplexNumbers(claim).run();
}

}  // namespace foldproof::read
