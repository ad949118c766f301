// SPDX-License-Identifier: MIT
// Random claims about matrices: a random well-typed expression, rewritten by random steps that keep its value (a true claim)
// or by one that most often does not (a claim that is probably false).
#pragma once

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "properties_random.hpp"
#include "prove/families.hpp"

namespace foldproof::properties {

enum class Kind { leaf, add, subtract, hadamard, scaled, matmul, transpose, relu, exp, abs, softmax, concat, vstack, heads, joined_heads, family };

struct Node;
using Tree = std::shared_ptr<const Node>;
struct Node {
  Kind kind;
  std::string rows, columns, name;  ///< name of a leaf, or of the scalar of `scaled`
  std::vector<Tree> args;
  int family = -1;  ///< of the kind `family`, which is written as `name` says
};

/// A form of a family with its operand filled in.
inline std::string filled(const std::string& form, const std::string& operand, const std::string& rows, const std::string& columns) {
  const auto bracketed = [](const std::string& size) { return size.size() > 1 ? "(" + size + ")" : size; };
  std::string out;
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (form[k] != '$') {
      out += form[k];
      continue;
    }
    ++k;
    out += form[k] == 'X' ? operand : bracketed(form[k] == 'r' ? rows : columns);
  }
  return out;
}

/// The declarations and assumptions of the variables that an equation uses.
/// Whether `name` stands in the text as a name of its own.
inline bool has_name(const std::string& text, std::string_view name) {
  const auto part_of_name = [&](std::size_t k) { return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_'); };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || (!part_of_name(at - 1) && text[at - 1] != '.')) && !part_of_name(at + name.size())) return true;
  }
  return false;
}

inline std::string declarations(const std::string& equation) {
  std::string shapes, assumptions;
  for (const Declared& d : declared) {
    if (!has_name(equation, d.name)) continue;
    shapes += std::string(d.name) + ": " + d.declaration + "; ";
    if (d.assumption != nullptr) assumptions += std::string("assume ") + d.assumption + "; ";
  }
  for (const char* size : {"a", "b", "c"}) {  // a size that no shape names would be read as a tensor
    if (has_name(equation, size) && !has_name(shapes, size)) shapes += std::string("of_") + size + ": [" + size + "]; ";
  }
  return shapes + assumptions;
}

inline std::string text(const Tree& t) {
  const auto arg = [&](std::size_t k) { return text(t->args[k]); };
  switch (t->kind) {
    case Kind::leaf: return t->name;
    case Kind::add: return "(" + arg(0) + " + " + arg(1) + ")";
    case Kind::subtract: return "(" + arg(0) + " - " + arg(1) + ")";
    case Kind::hadamard: return "(" + arg(0) + " * " + arg(1) + ")";
    case Kind::scaled: return "(" + t->name + " * " + arg(0) + ")";
    case Kind::matmul: return arg(0).size() % 8 == 5 ? "einsum('ij,jk->ik', " + arg(0) + ", " + arg(1) + ")" : "(" + arg(0) + " @ " + arg(1) + ")";
    case Kind::transpose: return arg(0) + ".T";
    case Kind::relu: return "relu(" + arg(0) + ")";
    case Kind::exp: return "exp(" + arg(0) + ")";
    case Kind::abs: return "abs(" + arg(0) + ")";
    case Kind::softmax: return "softmax(" + arg(0) + ")";
    case Kind::concat: return "concat(" + arg(0) + ", " + arg(1) + ")";
    case Kind::vstack: return "vstack(" + arg(0) + ", " + arg(1) + ")";
    case Kind::heads: return "sum(H[i] @ K[i] for i in range(h))";
    case Kind::family: return "(" + filled(t->name, t->args.empty() ? "" : arg(0), t->rows, t->columns) + ")";
    case Kind::joined_heads: return "(concat(H[i] for i in range(h)) @ vstack(K[i] for i in range(h)))";
  }
  return "?";
}

class ClaimMaker {
 public:
  explicit ClaimMaker(std::uint64_t seed) : dice_(seed) {}

  /// A random expression; all of the language from the families, or matrices only.
  Tree random(int depth, bool all) {
    all_ = all;
    const std::string rows = size();
    return make(rows, size(), depth);
  }
  /// A few random steps that keep the value.
  Tree equal(Tree t, int steps) {
    for (int k = 0; k < steps; ++k) t = somewhere(t, [this](const Tree& x) { return rewritten(x); });
    return t;
  }
  /// One random mistake.
  Tree mistaken(const Tree& t) {
    return somewhere(t, [this](const Tree& x) { return spoiled(x); });
  }
  std::size_t roll(std::size_t sides) { return dice_.roll(sides); }

 private:
  static Tree node(Kind kind, const std::string& rows, const std::string& columns, std::vector<Tree> args, std::string name = "") {
    return std::make_shared<const Node>(Node{kind, rows, columns, std::move(name), std::move(args)});
  }
  static Tree matmul(const Tree& x, const Tree& y) { return node(Kind::matmul, x->rows, y->columns, {x, y}); }
  static Tree transposed(const Tree& x) { return node(Kind::transpose, x->columns, x->rows, {x}); }
  static Tree like(const Tree& x, Kind kind, std::vector<Tree> args, std::string name = "") { return node(kind, x->rows, x->columns, std::move(args), std::move(name)); }
  static Tree eye(const std::string& n) { return node(Kind::leaf, n, n, {}, "eye(" + n + ")"); }

  std::string size() { return std::string(1, "aabc"[dice_.roll(4)]); }
  Tree leaf(const std::string& rows, const std::string& columns) {
    static constexpr const char* leaves[][3] = {{"A", "a", "b"}, {"B", "b", "c"}, {"C", "c", "a"}, {"D", "a", "b"}, {"E", "b", "c"}, {"S", "a", "a"}, {"T", "a", "a"}};
    std::vector<Tree> fits;
    for (const auto& l : leaves) {
      if (rows == l[1] && columns == l[2]) fits.push_back(node(Kind::leaf, l[1], l[2], {}, l[0]));
      if (rows == l[2] && columns == l[1]) fits.push_back(transposed(node(Kind::leaf, l[1], l[2], {}, l[0])));
    }
    if (rows == "a" && columns == "a") fits.push_back(node(Kind::heads, "a", "a", {}));
    if (rows == columns && dice_.roll(4) == 0) return eye(rows);
    if (all_ && dice_.roll(2) == 0) {
      if (const Tree special = of_family(Family::Of::leaf, rows, columns, 0)) return special;
    }
    if (fits.empty() || dice_.roll(12) == 0) return node(Kind::leaf, rows, columns, {}, "ones(" + rows + ", " + columns + ")");
    return fits[dice_.roll(fits.size())];
  }
  Tree make(const std::string& rows, const std::string& columns, int depth) {
    if (depth == 0) return leaf(rows, columns);
    const auto same = [&] { return make(rows, columns, depth - 1); };
    if (all_ && dice_.roll(3) == 0) {
      if (const Tree special = of_family(rows == columns && dice_.roll(4) == 0 ? Family::Of::square : Family::Of::any, rows, columns, depth)) return special;
    }
    if (all_ && dice_.roll(12) == 0) return node(Kind::scaled, rows, columns, {same()}, some_scalar());
    switch (dice_.roll(13)) {
      case 0: case 1: return node(Kind::add, rows, columns, {same(), same()});
      case 2: return node(Kind::subtract, rows, columns, {same(), same()});
      case 3: return node(Kind::hadamard, rows, columns, {same(), same()});
      case 4: return node(Kind::scaled, rows, columns, {same()}, dice_.roll(2) == 0 ? "s" : "2");
      case 5: return node(Kind::transpose, rows, columns, {make(columns, rows, depth - 1)});
      case 6: return node(dice_.roll(2) == 0 ? Kind::relu : Kind::abs, rows, columns, {make(rows, columns, depth - 1)});
      case 7: return node(dice_.roll(2) == 0 ? Kind::exp : Kind::softmax, rows, columns, {make(rows, columns, depth - 1)});
      default: break;
    }
    const std::string inner = size();
    return matmul(make(rows, inner, depth - 1), make(inner, columns, depth - 1));
  }

  /// A random form of a random family that fits; null when none does.
  Tree of_family(Family::Of of, const std::string& rows, const std::string& columns, int depth) {
    std::vector<int> fits;
    for (std::size_t k = 0; k < families().size(); ++k) {
      const Family& f = families()[k];
      if (f.of == of && (of != Family::Of::leaf || (rows == f.rows && columns == f.columns))) fits.push_back(static_cast<int>(k));
    }
    if (fits.empty()) return nullptr;
    Node made{Kind::family, rows, columns, "", {}, fits[dice_.roll(fits.size())]};
    const auto& forms = families()[static_cast<std::size_t>(made.family)].equal;
    made.name = forms[dice_.roll(forms.size())];
    if (of == Family::Of::any || of == Family::Of::square) made.args.push_back(make(rows, columns, depth - 1));
    return std::make_shared<const Node>(std::move(made));
  }
  Tree other_form(const Tree& x, const std::vector<std::string>& forms) {
    Node copy = *x;
    copy.name = forms[dice_.roll(forms.size())];
    return std::make_shared<const Node>(std::move(copy));
  }
  /// The scalar's family, or null when it is a plain one.
  static const Family* family_of(const std::string& scalar) {
    for (const Family& f : families()) {
      if (f.of == Family::Of::scalar && std::find(f.equal.begin(), f.equal.end(), scalar) != f.equal.end()) return &f;
    }
    return nullptr;
  }
  std::string some_scalar() {
    std::vector<const Family*> scalars;
    for (const Family& f : families()) {
      if (f.of == Family::Of::scalar) scalars.push_back(&f);
    }
    const auto& forms = scalars[dice_.roll(scalars.size())]->equal;
    return forms[dice_.roll(forms.size())];
  }

  /// f at a random place of the tree.
  template <class F>
  Tree somewhere(const Tree& t, const F& f) {
    if (t->args.empty() || dice_.roll(3) == 0) return f(t);
    Node copy = *t;
    Tree& child = copy.args[dice_.roll(copy.args.size())];
    child = somewhere(child, f);
    return std::make_shared<const Node>(std::move(copy));
  }

  Tree rewritten(const Tree& x) {
    if (all_ && dice_.roll(4) == 0) {
      for (int tries = 0; tries < 8; ++tries) {  // families of forms of $X itself: pieces and layouts
        const auto k = dice_.roll(families().size());
        const Family& f = families()[k];
        if (f.of != Family::Of::any || f.equal.front() != "$X") continue;
        return std::make_shared<const Node>(Node{Kind::family, x->rows, x->columns, f.equal[dice_.roll(f.equal.size())], {x}, static_cast<int>(k)});
      }
    }
    switch (dice_.roll(7)) {
      case 0: return transposed(transposed(x));
      case 1: return matmul(x, eye(x->columns));
      case 2: return matmul(eye(x->rows), x);
      case 3: {
        const Tree y = leaf(x->rows, x->columns);
        return like(x, Kind::subtract, {like(x, Kind::add, {x, y}), y});
      }
      default: return by_kind(x);
    }
  }
  Tree by_kind(const Tree& x) {
    switch (x->kind) {
      case Kind::add: return like(x, Kind::add, {x->args[1], x->args[0]});
      case Kind::hadamard: return like(x, Kind::hadamard, {x->args[1], x->args[0]});
      case Kind::subtract: return like(x, Kind::add, {x->args[0], like(x, Kind::scaled, {x->args[1]}, "(-1)")});
      case Kind::heads: return like(x, Kind::joined_heads, {});
    case Kind::joined_heads: return like(x, Kind::heads, {});
      case Kind::matmul: return of_product(x);
      case Kind::transpose: return of_transpose(x);
      case Kind::family: return other_form(x, families()[static_cast<std::size_t>(x->family)].equal);
      case Kind::scaled: return of_scaled(x);
      case Kind::relu: return like(x, Kind::add, {x->args[0], like(x, Kind::relu, {like(x, Kind::scaled, {x->args[0]}, "(-1)")})});
      case Kind::abs: return like(x, Kind::add, {like(x, Kind::relu, {x->args[0]}), like(x, Kind::relu, {like(x, Kind::scaled, {x->args[0]}, "(-1)")})});
      case Kind::softmax: return like(x, Kind::softmax, {like(x, Kind::add, {x->args[0], like(x, Kind::scaled, {like(x, Kind::leaf, {}, "ones(" + x->rows + ", " + x->columns + ")")}, "t")})});
      case Kind::exp:
        if (x->args[0]->kind != Kind::add) return x;
        return like(x, Kind::hadamard, {like(x, Kind::exp, {x->args[0]->args[0]}), like(x, Kind::exp, {x->args[0]->args[1]})});
      default: return x;
    }
  }
  Tree of_product(const Tree& x) {
    const Tree l = x->args[0], r = x->args[1];
    if (l->kind == Kind::matmul && dice_.roll(2) == 0) return matmul(l->args[0], matmul(l->args[1], r));
    if (r->kind == Kind::matmul && dice_.roll(2) == 0) return matmul(matmul(l, r->args[0]), r->args[1]);
    if (l->kind == Kind::add || l->kind == Kind::subtract) return like(x, l->kind, {matmul(l->args[0], r), matmul(l->args[1], r)});
    if (r->kind == Kind::add || r->kind == Kind::subtract) return like(x, r->kind, {matmul(l, r->args[0]), matmul(l, r->args[1])});
    const std::string extra = size();
    const Tree u = leaf(l->rows, extra), v = leaf(extra, r->columns);
    const Tree wide = node(Kind::concat, l->rows, l->columns + " + " + extra, {l, u}), tall = node(Kind::vstack, l->columns + " + " + extra, r->columns, {r, v});
    return like(x, Kind::subtract, {matmul(wide, tall), matmul(u, v)});
  }
  Tree of_transpose(const Tree& x) {
    const Tree y = x->args[0];
    if (y->kind == Kind::matmul) return matmul(transposed(y->args[1]), transposed(y->args[0]));
    if (y->kind == Kind::transpose) return y->args[0];
    if (y->kind == Kind::add || y->kind == Kind::subtract || y->kind == Kind::hadamard) return like(x, y->kind, {transposed(y->args[0]), transposed(y->args[1])});
    return x;
  }
  Tree of_scaled(const Tree& x) {
    const Tree y = x->args[0];
    if (const Family* f = family_of(x->name); f != nullptr && dice_.roll(2) == 0) return like(x, Kind::scaled, x->args, f->equal[dice_.roll(f->equal.size())]);
    const auto scaled = [&](const Tree& z) { return like(z, Kind::scaled, {z}, x->name); };
    if (y->kind == Kind::matmul) return dice_.roll(2) == 0 ? matmul(scaled(y->args[0]), y->args[1]) : matmul(y->args[0], scaled(y->args[1]));
    if (y->kind == Kind::add || y->kind == Kind::subtract) return like(x, y->kind, {scaled(y->args[0]), scaled(y->args[1])});
    return x;
  }

  Tree spoiled(const Tree& x) {
    const bool square = x->rows == x->columns;
    switch (x->kind) {
      case Kind::add: return dice_.roll(2) == 0 ? like(x, Kind::subtract, x->args) : x->args[dice_.roll(2)];
      case Kind::subtract: return dice_.roll(2) == 0 ? like(x, Kind::subtract, {x->args[1], x->args[0]}) : like(x, Kind::add, x->args);
      case Kind::hadamard: return like(x, Kind::add, x->args);
      case Kind::family: {
        const auto& wrong = families()[static_cast<std::size_t>(x->family)].wrong;
        return like(x, Kind::leaf, {}, "(" + filled(wrong[dice_.roll(wrong.size())], x->args.empty() ? "" : text(x->args[0]), x->rows, x->columns) + ")");
      }
      case Kind::scaled:
        if (const Family* f = family_of(x->name)) return like(x, Kind::scaled, x->args, f->wrong[dice_.roll(f->wrong.size())]);
        return like(x, Kind::scaled, x->args, x->name == "t" ? "s" : "t");
      case Kind::matmul:
        if (square && x->args[0]->rows == x->args[0]->columns) return matmul(x->args[1], x->args[0]);
        return like(x, Kind::scaled, {x}, "2");
      case Kind::transpose: return square ? x->args[0] : like(x, Kind::scaled, {x}, "s");
      case Kind::relu: return like(x, Kind::abs, x->args);
      case Kind::abs: return dice_.roll(2) == 0 ? x->args[0] : like(x, Kind::relu, x->args);
      case Kind::exp: return like(x, Kind::softmax, x->args);
      case Kind::softmax: return square ? transposed(like(x, Kind::softmax, {transposed(x->args[0])})) : like(x, Kind::exp, x->args);
      case Kind::heads: case Kind::joined_heads: return like(x, Kind::leaf, {}, "(concat(H[h-1-i] for i in range(h)) @ vstack(K[i] for i in range(h)))");
      default: return square ? transposed(x) : leaf(x->rows, x->columns);
    }
  }

  Dice dice_;
  bool all_ = false;
};

}  // namespace foldproof::properties
