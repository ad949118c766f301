// SPDX-License-Identifier: MIT
#include "program/library_classes.hpp"

#include <optional>

#include "expr/diagnostic.hpp"
#include "program/language.hpp"
#include "program/lexer.hpp"

namespace foldproof::program {
namespace {

/// What torch.nn.MultiheadAttention computes (PyTorch's documentation of it and of multi_head_attention_forward): of tensors [n, d], [n, b, d], and
/// [b, n, d] with batch_first. A mask of truth values says what is not attended to, unlike that of scaled_dot_product_attention; is_causal alone says nothing, and
/// PyTorch raises.
constexpr std::string_view multihead_attention = R"(class MultiheadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, batch_first=False):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.has_bias = bias
        self.batch_first = batch_first
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.randn(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
    def in_heads(self, x):
        x = x.unflatten(-1, (self.num_heads, self.head_dim))
        return x.transpose(-2, -3) if self.batch_first else x.movedim(0, -2)
    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        w_q, w_k, w_v = self.in_proj_weight.chunk(3)
        q, k, v = query @ w_q.T, key @ w_k.T, value @ w_v.T
        if self.has_bias:
            b_q, b_k, b_v = self.in_proj_bias.chunk(3)
            q, k, v = q + b_q, k + b_k, v + b_v
        q, k, v = self.in_heads(q), self.in_heads(k), self.in_heads(v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        if is_causal:
            scores = scores + blocking_mask(attn_mask)
        elif attn_mask is not None:
            scores = scores + blocking_mask(attn_mask)
        if key_padding_mask is not None:
            scores = scores + blocking_mask(key_padding_mask)[..., None, None, :]
        weights = scores.softmax(-1)
        heads = weights @ v
        heads = heads.transpose(-2, -3) if self.batch_first else heads.movedim(-2, 0)
        out = self.out_proj(heads.flatten(-2))
        if average_attn_weights:
            return out, weights.mean(-3)
        return out, weights
)";

/// What a class gets from torch.nn.Linear and torch.nn.LayerNorm that it is made of.
constexpr std::string_view bases[] = {R"(class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.bias = nn.Parameter(torch.randn(out_features)) if bias else None
    def forward(self, input):
        return F.linear(input, self.weight, self.bias)
)",
                                      R"(class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True):
        super().__init__()
        self.normalized_shape = normalized_shape
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(normalized_shape)) if elementwise_affine else None
        self.bias = nn.Parameter(torch.randn(normalized_shape)) if elementwise_affine and bias else None
    def forward(self, input):
        return F.layer_norm(input, (self.normalized_shape,), self.weight, self.bias, self.eps)
)"};

/// torch.nn.GroupNorm of tensors [n, c] and [n, c, ...].
constexpr std::string_view group_norm = R"(class GroupNorm(nn.Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True):
        super().__init__()
        self.num_groups = num_groups
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(num_channels)) if affine else None
        self.bias = nn.Parameter(torch.randn(num_channels)) if affine else None
    def forward(self, input):
        groups = input.reshape(input.shape[0], self.num_groups, -1)
        normed = F.layer_norm(groups, (groups.shape[-1],), eps=self.eps).reshape(input.shape)
        if self.weight is None:
            return normed
        return (normed.transpose(1, -1) * self.weight + self.bias).transpose(1, -1)
)";

/// torch.nn.Conv1d of tensors [c, n] and [b, c, n], with steps of one place.
constexpr std::string_view convolution = R"(class Conv1d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, padding=0, groups=1, bias=True):
        super().__init__()
        self.kernel_size = kernel_size
        self.padding = padding
        self.groups = groups
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels // groups, kernel_size))
        self.bias = nn.Parameter(torch.randn(out_channels)) if bias else None
    def forward(self, input):
        padded = F.pad(input, (self.padding, self.padding))
        places = padded.shape[-1] - self.kernel_size + 1
        if self.groups == 1:
            out = sum(self.weight[:, :, j] @ padded[..., j:j + places] for j in range(self.kernel_size))
        else:
            apart = padded.unflatten(-2, (self.groups, -1))
            weight = self.weight.unflatten(0, (self.groups, -1))
            out = sum(weight[:, :, :, j] @ apart[..., j:j + places] for j in range(self.kernel_size)).flatten(-3, -2)
        return out if self.bias is None else out + self.bias[:, None]
)";

/// A module that is read as a class: what it is called with, of which the first `by_place` may be given by their places, as PyTorch has others behind them.
struct LibraryClass {
  std::string_view module, text;
  std::vector<std::string_view> options;
  std::size_t by_place;
};
const LibraryClass classes[] = {
    {"MultiheadAttention", multihead_attention, {"embed_dim", "num_heads", "dropout", "bias", "batch_first"}, 4},
    {"GroupNorm", group_norm, {"num_groups", "num_channels", "eps", "affine"}, 4},
    {"Conv1d", convolution, {"in_channels", "out_channels", "kernel_size", "padding", "groups", "bias"}, 3},
};

/// Refuses what the class above has no option for: add_bias_kv, kdim and the like.
void require_known_options(const LibraryClass& made, const Tokens& arguments) {
  std::size_t place = 0;
  for (const Tokens& argument : parts_of(arguments)) {
    const bool known = is_by_name(argument) ? is_among(argument[0].text, made.options) : place++ < made.by_place;
    if (known || argument.empty()) continue;
    std::string names;
    for (const std::string_view option : made.options) names += (names.empty() ? "" : option == made.options.back() ? " and " : ", ") + std::string(option);
    fail("call.arguments", "this option of `nn." + std::string(made.module) + "` is not read", {argument.front().span.begin, argument.back().span.end}, names + " are; write other modules out as a class");
  }
}

}  // namespace

namespace {

/// class A(nn.Linear): as class A(nn_Linear):, behind that class.
Tokens with_library_bases(Tokens tokens, Words& words) {
  for (const std::string_view text : bases) {
    const Tokens read = with_blocks(tokenize(text), text);
    std::optional<Token> own;
    for (std::size_t k = 0; k + 4 < tokens.size(); ++k) {
      const bool is_class = tokens[k].is("class") && begins_statement(tokens, k) && tokens[k + 2].is("(");
      for (std::size_t base = k + 3; is_class && base < closing(tokens, k + 2); ++base) {
        if (!tokens[base].is(read[1].text) || !tokens[base - 1].is(".") || !tokens[base - 2].is("nn")) continue;
        if (!own) own = numbered({TokenKind::name, read[1].text, tokens[base].span}, tokens, words);
        const std::size_t first = base - 2 - (base > k + 6 && tokens[base - 4].is("torch") ? 2 : 0);
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(base));
        tokens[first].text = own->text;
        break;
      }
    }
    if (!own) continue;
    Tokens all = slice(read, 0, read.size() - 1);  // without the end
    for (Token& t : all) t.span = own->span;
    all[1].text = own->text;
    all.push_back({TokenKind::separator, ";", own->span});
    put(all, tokens);
    tokens = std::move(all);
  }
  return tokens;
}

Tokens with_library_class(const LibraryClass& made, Tokens tokens) {
  const auto calls = [&](std::size_t k) { return k + 3 < tokens.size() && tokens[k].is("nn") && tokens[k + 1].is(".") && tokens[k + 2].is(made.module) && tokens[k + 3].is("("); };
  Tokens found;
  std::optional<Span> first;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (begins_statement(tokens, k) && tokens[k].is("from")) {  // an import, which has been followed: the class is the one below
      for (; k < tokens.size() && !ends_statement(tokens[k]); ++k) found.push_back(tokens[k].is(made.module) ? word("Module", tokens[k]) : tokens[k]);
    }
    if (k == tokens.size()) break;
    if (!calls(k)) {
      found.push_back(tokens[k]);
      continue;
    }
    require_known_options(made, slice(tokens, k + 4, closing(tokens, k + 3)));
    const Span &name = tokens[k + 2].span, &bracket = tokens[k + 3].span, place = name.end == bracket.begin ? Span{tokens[k].span.begin, name.end} : bracket;  // an imported name stands elsewhere
    if (!first) first = place;
    if (found.size() > 1 && found.back().is(".") && found[found.size() - 2].is("torch")) found.resize(found.size() - 2);  // torch.nn
    found.push_back({TokenKind::name, made.module, place});
    k += 2;
  }
  if (!first) return tokens;  // nearly always
  Tokens all = with_blocks(tokenize(made.text), made.text);
  all.pop_back();  // the end
  for (Token& t : all) t.span = *first;  // what is wrong in it is so where it is made
  all.push_back({TokenKind::separator, ";", *first});
  put(all, found);
  return all;
}

}  // namespace

Tokens with_library_classes(Tokens tokens, Words& words) {
  tokens = with_library_bases(std::move(tokens), words);
  for (const LibraryClass& made : classes) tokens = with_library_class(made, std::move(tokens));
  return tokens;
}

}  // namespace foldproof::program
