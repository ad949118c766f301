// SPDX-License-Identifier: MIT
// PyTorch's modules, as functions of tensors: a class as its methods, nn.Linear as a matrix and a bias that are declared, nn.Softmax(dim=-1)
// as softmax. What a claim then says holds for all weights. Part of the trusted base.
#pragma once

#include <map>
#include <string>

#include "program/token_lists.hpp"

namespace foldproof::program {

/// Where the name of the module stands in torch.nn.Linear(...), if that is all; 0 for others.
std::size_t module_name(const Tokens& value);
/// What it is made with.
struct ModuleArguments {
  std::vector<Tokens> by_place;
  std::map<std::string_view, Tokens> by_name;
  /// The value of a parameter by its place or name; null where it has none.
  const Tokens* find(std::size_t place, std::string_view name) const {
    if (place < by_place.size()) return &by_place[place];
    const auto at = by_name.find(name);
    return at == by_name.end() ? nullptr : &at->second;
  }
};
ModuleArguments module_arguments(const Tokens& value);
/// Methods of modules that change nothing of what they compute here.
inline constexpr std::string_view modes[] = {"eval", "to", "cuda", "cpu", "float", "double", "requires_grad_"};

/// The layers of PyTorch that are read and have weights.
inline constexpr std::string_view layers_with_weights[] = {"Linear", "Embedding", "LayerNorm", "RMSNorm", "BatchNorm1d"};
/// Where the weight stands in nn.init.normal_(q.weight, ...) and init.zeros_(q.bias), if that is all; 0 for others.
std::size_t initialized_at(const Tokens& statement);
/// Whether normal_, uniform_ and the like give a weight random values: any, as weights have here.
bool gives_random_values(std::string_view function);

/// lin.weight.uniform_(a, b) and nn.init.uniform_(lin.weight, a, b), outside of functions and classes, as lin.weight.data = a + (b - a) * torch.rand_like(lin.weight).
Tokens with_weights_drawn(Tokens tokens);

/// The program without classes: block = Block(d, h) is what __init__ does, with names such as block_q for self.q, and block_forward for what
/// block(x) calls. After the pass over blocks. Errors: `parse.unexpected` for what is no method, and where an object has no such attribute.
Tokens with_classes(Tokens tokens, Words& words);

/// q = nn.Linear(d, k) declares q_weight: [k, d] and q_bias: [k], and q(x) is x @ q_weight.T + q_bias; nn.Embedding, nn.LayerNorm,
/// nn.RMSNorm, nn.Parameter, nn.Sequential, nn.Identity and nn.Dropout, which does nothing once a network is trained, in the same way. Errors: `parse.unexpected` for an
/// argument that is not known.
Tokens with_layers(Tokens tokens, Words& words);

/// nn.Softmax(dim=-1)(S) is F.softmax(S, dim=-1): a module that has no weights is a function.
Tokens with_functions(Tokens tokens);

/// The W_q of self.W_q in a method of a module, which is pasted with the claim. Calls of other modules stay as they are.
Tokens without_self(Tokens tokens);

/// a, b = A(d), B(d) as a = A(d) and b = B(d), where neither value uses a or b. Another statement alone.
std::vector<Tokens> one_by_one(const Tokens& statement);

/// The numbers of names that get one number, and no other value: n, d = 4, 8.
std::map<std::string_view, Token> named_numbers(const Tokens& tokens);

}  // namespace foldproof::program
