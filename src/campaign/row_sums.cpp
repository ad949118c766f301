// SPDX-License-Identifier: MIT
#include "campaign/row_sums.hpp"

#include "campaign/terms.hpp"

namespace foldproof::campaign {

using infer::Term;
namespace ops = expr::ops;

Term with_row_sums(const Term& term) {
  if (!term || term->args.empty()) return term;
  auto copy = std::make_shared<infer::TermNode>(*term);
  for (Term& a : copy->args) a = with_row_sums(a);
  const Term e = copy;
  if (e->kind != infer::TermKind::apply || !is<ops::Softmax, ops::LogSoftmax, ops::RmsNorm, ops::LayerNorm>(e)) return e;
  const int axis = e->call.axis;
  const Term& x = e->args[0];
  if (is<ops::Softmax, ops::LogSoftmax>(e)) {
    const Term exponentials = apply<ops::Exp>({x}), sum = apply<ops::SumAxis>({exponentials}, {}, axis);
    return is<ops::Softmax>(e) ? apply<ops::Divide>({exponentials, sum}) : apply<ops::Subtract>({x, apply<ops::Log>({sum})});
  }
  const auto mean = [&](const Term& t) { return apply<ops::Mean>({t}, {}, axis); };
  const Term centred = is<ops::LayerNorm>(e) ? apply<ops::Subtract>({x, mean(x)}) : x;
  Term square = mean(apply<ops::Multiply>({centred, centred}));
  if (e->args.size() > 1) square = apply<ops::Add>({square, e->args[1]});
  return apply<ops::Multiply>({centred, apply<ops::Rsqrt>({square})});
}

}  // namespace foldproof::campaign
