// SPDX-License-Identifier: MIT
#include "program/modules.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"

namespace foldproof::program {
namespace {

constexpr std::string_view input = module_input;
constexpr std::string_view kept_values[] = {"weight", "bias", "running_mean", "running_var"};

class Layers {
 public:
  Layers(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    int depth = 0;  // of blocks
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      depth += step_into_block(tokens_[k]);
      if (tokens_[k].kind == TokenKind::name) used_.insert(std::string(tokens_[k].text));
      if (k + 4 < tokens_.size() && tokens_[k + 1].is(".") && is_among(tokens_[k + 2].text, kept_values) && tokens_[k + 3].is(".") && tokens_[k + 4].is("data")) of_data_.insert(tokens_[k].span.begin);
      if (depth == 0 && (k == 0 || ends_statement(tokens_[k - 1])) && is_first_value(k)) given_.emplace(tokens_[k].text, std::string(tokens_[k + 2].text));
    }
  }

  Tokens run() {
    each_statement(tokens_, [&](const Tokens& statement, std::size_t end) {
      require_own_names(statement);
      const auto each = one_by_one(statement);
      behind_ = end;
      const bool modules = each.size() > 1 && std::all_of(each.begin(), each.end(), [](const Tokens& s) { return module_name(between(s, 2)) > 0; });
      for (std::size_t s = 0; s < (modules ? each.size() : 1); ++s) {
        const Tokens &whole = modules ? each[s] : statement, one = without_modes(whole);
        made_evaluated_ = std::any_of(whole.begin() + static_cast<std::ptrdiff_t>(one.size()), whole.end(), [](const Token& t) { return t.is("eval"); });
        if (one.size() > 2 && one[1].is("=") && module_name(between(one, 2)) > 0) made_.insert(one[0].text);
        if (s > 0) end_statement(one[0]);
        if (!loaded(one) && !changed_weight(one) && !sets_mode(one) && !copied_module(one) && !layer(one) && !weight(one)) put(written_, with_weights(one));
      }
      if (end == tokens_.size()) return;
      depth_ += step_into_block(tokens_[end]);
      written_.push_back(tokens_[end]);
    });
    return std::move(written_);
  }

 private:
  using Arguments = ModuleArguments;

  /// q = nn.Linear(d, k).eval() as q = nn.Linear(d, k).
  static Tokens without_modes(const Tokens& statement) {
    Tokens rest = statement;
    for (bool mode = true; mode;) {
      std::size_t open = 3;
      while (open < rest.size() && closing(rest, open) + 1 != rest.size()) ++open;
      mode = open > 6 && open < rest.size() && rest[1].is("=") && rest[open - 2].is(".") && is_among(rest[open - 1].text, modes);
      if (mode) rest.resize(open - 2);
    }
    const std::size_t module = rest.size() < statement.size() ? module_name(between(rest, 2)) : 0;
    return module > 0 && !rest[module + 2].is("Parameter") ? rest : statement;
  }

  /// q = nn.Linear(d, k), if that is the statement.
  bool layer(const Tokens& statement) {
    if (statement.size() < 5 || statement[0].kind != TokenKind::name || !statement[1].is("=")) return false;
    return made(statement[0], with_weights(between(statement, 2)));
  }
  bool made(const Token& name, const Tokens& value) {
    static constexpr std::string_view known[] = {"Linear", "Embedding", "LayerNorm", "RMSNorm", "BatchNorm1d", "Parameter", "Identity", "Dropout", "Sequential"};
    static constexpr std::string_view unread[] = {"Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "RNN", "RNNCell", "GRU", "GRUCell", "LSTM", "LSTMCell", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "Bilinear", "PReLU", "EmbeddingBag", "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoder", "TransformerDecoderLayer"};
    const std::size_t k = module_name(value);
    if (k > 0 && is_among(value[k].text, unread)) fail("name.unknown", "`nn." + std::string(value[k].text) + "` is not read", value[k].span, "layers that are read: nn.Linear, Embedding, LayerNorm, RMSNorm, BatchNorm1d, GroupNorm, Conv1d, MultiheadAttention, Sequential and functions such as nn.GELU; write out what it computes, a convolution as a product with the patches");
    if (k == 0 || std::find(std::begin(known), std::end(known), value[k].text) == std::end(known)) return false;
    const Token& module = value[k];
    if (depth_ > 0) fail("parse.unexpected", "each call and each step makes another module here", module.span, "make it before the function or the loop, layers = nn.ModuleList([...]) for several ones");
    const Arguments given = module_arguments(value);
    if (module.is("Parameter")) return parameter(name, given);
    if (!modules_.insert(name.text).second) fail("parse.duplicate", describe(name) + " is a module already", name.span, "give it another name");
    values_[name.text] = value;
    if (module.is("Linear")) linear(name, module, given);
    else if (module.is("Embedding")) embedding(name, module, given);
    else if (module.is("LayerNorm") || module.is("RMSNorm")) norm(name, module, given);
    else if (module.is("BatchNorm1d")) batch_norm(name, module, given);
    else if (module.is("Sequential")) in_turn(name, module, given);
    else as_function(name, module, {{TokenKind::name, input, module.span}});
    return true;
  }
  /// Refuses parameters that are called like a module: def f(q): ... q.weight.
  void require_own_names(const Tokens& s) const {
    for (std::size_t k = 0; k + 1 < s.size(); ++k) {
      if (!s[k].is("lambda") && !(k == 0 && s[k].is("def"))) continue;
      for (std::size_t p = k + 1; p < s.size() && !s[p].is(":"); ++p) {
        if (p > (s[k].is("def") ? 1 : 0) && !s[p - 1].is("=") && modules_.count(s[p].text) > 0) fail("parse.duplicate", describe(s[p]) + " is a module outside of this function", s[p].span, "give the parameter another name");
      }
    }
  }
  /// q.eval(), which changes nothing here, as no module but nn.Dropout is another one while it is trained.
  bool sets_mode(const Tokens& s) const {
    if (const std::size_t at = initialized_at(s); at > 0 && gives_random_values(s[at - 2].text) && parameters_.count(s[at].text) > 0 && !names(written_, s[at].text, parameters_.at(s[at].text))) return true;  // any values, as they are
    if (s.size() > 3 && (s[0].is("nn") || s[0].is("init") || (s[0].is("torch") && s[2].is("nn"))) && std::any_of(s.begin(), s.end(), [](const Token& t) { return t.is("init"); }) && !has_outside(s, "=")) {
      fail("parse.unexpected", "what weights are at first is not read: a claim holds for all of them", s[0].span, "leave it out, or give the weight its value: lin.weight = ...");
    }
    if (s.size() < 5 || made_.count(s[0].text) == 0 || !s[1].is(".") || !is_one_bracket(between(s, 3))) return false;
    if (s[2].is("train") && std::any_of(tokens_.begin(), tokens_.end(), [](const Token& t) { return t.is("Dropout") || t.is("dropout"); })) fail("parse.unexpected", "dropout is read as what it is once a network is trained", s[2].span, "write .eval()");
    return s[2].is("train") || is_among(s[2].text, modes);
  }
  /// Refuses arguments that the module has not, or that would change what it computes.
  static void require_known(const Arguments& given, const Token& module, std::size_t places, std::initializer_list<std::string_view> names) {
    if (given.by_place.size() > places) fail("call.arguments", "nn." + std::string(module.text) + " has at most " + std::to_string(places) + " arguments by their place", given.by_place[places].front().span, "name the others");
    for (const auto& [name, value] : given.by_name) {
      const bool known = name == "device" || name == "dtype" || std::find(names.begin(), names.end(), name) != names.end();
      const bool twice = known && name != "device" && name != "dtype" && static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()) < given.by_place.size();
      if (!known || twice) fail("call.arguments", "nn." + std::string(module.text) + " has no argument `" + std::string(name) + "` here", value.front().span, "leave it out");
    }
  }

  /// Where the value stands in q.weight = W, q.weight.data = W and q.weight.copy_(W); 0 for other statements.
  static std::size_t gives_weight(const Tokens& tokens, std::size_t k) {
    const auto is = [&](std::size_t at, std::string_view text) { return k + at < tokens.size() && tokens[k + at].is(text); };
    if (tokens[k].kind != TokenKind::name || !is(1, ".") || k + 2 >= tokens.size() || !is_among(tokens[k + 2].text, kept_values)) return 0;
    const std::size_t behind = is(3, ".") && is(4, "data") ? 5 : 3;
    if (is(behind, "=")) return k + behind + 1;
    const std::size_t open = k + behind + 2, close = is(behind, ".") && is(behind + 1, "copy_") && is(behind + 2, "(") ? closing(tokens, open) : tokens.size();
    return close < tokens.size() && (close + 1 == tokens.size() || ends_statement(tokens[close + 1])) ? open + 1 : 0;
  }
  /// Whether the statement there gives a weight its value before anything reads the module.
  bool is_first_value(std::size_t k) const {
    if (gives_weight(tokens_, k) == 0 || names(slice(tokens_, k + 1, end_of_statement(tokens_, k)), tokens_[k].text)) return false;
    for (std::size_t before = 0; before < k; ++before) {
      if (!tokens_[before].is(tokens_[k].text) || !is_use(tokens_, before)) continue;
      const std::size_t begin = beginning_of_statement(tokens_, before), end = end_of_statement(tokens_, before);
      const Tokens s = slice(tokens_, begin, end);
      const bool target = before - begin < assignment(s).value_or(0), mode = s.size() > 4 && before == begin && s[1].is(".") && (is_among(s[2].text, modes) || s[2].is("train"));
      if (!target && !mode && !(before == begin && gives_weight(tokens_, begin) > 0)) return false;
    }
    return true;
  }
  /// q.weight = W, after which q can be called, or is another one from there on.
  bool weight(const Tokens& statement) {
    const std::size_t value = statement.empty() ? 0 : gives_weight(statement, 0);
    const auto own = value > 0 ? weights_.find({statement[0].text, std::string(statement[2].text)}) : weights_.end();
    if (own == weights_.end()) return false;
    if (depth_ > 0 && waiting_.count(statement[0].text) == 0) fail("parse.unexpected", "a weight gets another value in a function, a case or a loop", statement[0].span, "give it outside of these");
    if (statement[value - 1].is("(") || statement[4].is("data")) require_own(own->second, statement[0], !statement[value - 1].is("("));  // and not q.weight = W, after which the module has another one
    put(written_, {own->second, symbol("=", statement[0])});
    const bool copies = statement[value - 1].is("(");
    Tokens given = with_weights(copies ? inside(statement, value) : between(statement, value));
    if (copies) {  // into the shape that the weight has
      const Token& at = statement[0];
      Tokens in_shape{{TokenKind::name, "broadcast_to", at.span}, symbol("(", at), symbol("(", at)};
      put(in_shape, given);
      put(in_shape, {symbol(")", at), symbol(",", at), symbol("(", at)});
      for (const Tokens& size : shapes_[{statement[0].text, std::string(statement[2].text)}]) {
        put(in_shape, size);
        in_shape.push_back(symbol(",", at));
      }
      put(in_shape, {symbol(")", at), symbol(")", at)});
      given = std::move(in_shape);
    }
    if (const std::size_t k = module_name(given); k > 0 && given[k].is("Parameter")) {
      const Arguments argument = module_arguments(given);
      if (argument.by_place.size() != 1) fail("call.arguments", "nn.Parameter has a value", given[k].span, "write nn.Parameter(W)");
      given = argument.by_place[0];
    }
    put(written_, given);
    has_weight(statement[0]);
    return true;
  }
  /// q.weight *= 2, q.weight.data.mul_(g), nn.init.zeros_(q.weight) and the like, from which on q is another one.
  bool changed_weight(const Tokens& s) {
    const std::size_t at = initialized_at(s);
    const bool init = at > 0, path = at + 2 < s.size() && s[at].kind == TokenKind::name && s[at + 1].is(".") && weights_.count({s[at].text, std::string(s[at + 2].text)}) > 0;
    if (!path) return false;
    const Token own = weights_.at({s[at].text, std::string(s[at + 2].text)});
    const std::size_t behind = at + 3 + (at + 4 < s.size() && s[at + 3].is(".") && s[at + 4].is("data") ? 2 : 0);
    const Token& name = s[at];
    Tokens value, given;  // value(given)
    const auto equals = init ? std::nullopt : assignment(s);
    if (equals && *equals == behind + 1 && changes_in_place(s, *equals)) {  // q.weight *= 2
      value = {own, s[behind]};
      given = with_weights(between(s, *equals + 1));
    } else {
      const bool method = !init && behind + 2 < s.size() && s[behind].is(".") && s[behind + 2].is("(") && closing(s, behind + 2) + 1 == s.size();
      const std::string_view function = init ? s[at - 2].text : method ? s[behind + 1].text : std::string_view();
      given = with_weights(init ? slice(s, behind + 1, s.size() - 1) : method ? slice(s, behind + 3, s.size() - 1) : Tokens{});
      static constexpr std::pair<std::string_view, std::string_view> operators[] = {{"mul_", "*"}, {"div_", "/"}, {"add_", "+"}, {"sub_", "-"}};
      const auto sign = std::find_if(std::begin(operators), std::end(operators), [&](const auto& o) { return o.first == function; });
      const bool one = !given.empty() && parts_of(given).size() == 1;
      if (sign != std::end(operators) && one) {
        value = {own, symbol(sign->second, name)};
      } else if (function == "zero_" || function == "zeros_" || function == "ones_") {
        value = {{TokenKind::name, function == "ones_" ? "ones_like" : "zeros_like", name.span}};
        given = {own};
      } else if ((function == "fill_" || function == "constant_") && one) {
        value = {{TokenKind::name, "full_like", name.span}};
        given = with_commas({{own}, given}, name);
      } else if (gives_random_values(function)) {  // any, as they are
        if (function == "uniform_" && !given.empty()) return false;  // of bounds
        if (is_read_before(own, name) || is_given_before(own)) fail("parse.unexpected", "a weight gets random values here, behind what has read it", name.span, "write " + std::string(name.text) + "." + std::string(s[at + 2].text) + ".data = torch.randn(...)");
        return true;
      } else {
        return false;
      }
    }
    if (depth_ > 0) fail("parse.unexpected", "a weight changes in a function, a case or a loop", name.span, "change it outside of these");
    require_own(own, name);
    put(written_, {own, symbol("=", name)});
    put(written_, value);
    written_.push_back(symbol("(", name));
    put(written_, given);
    written_.push_back(symbol(")", name));
    return true;
  }
  /// Whether a statement has read the weight, or called the module.
  bool is_read_before(const Token& own, const Token& module) const {
    for (std::size_t k = 0; k < written_.size(); ++k) {
      const std::size_t begin = beginning_of_statement(written_, k);
      const bool defines = written_[begin].is(module.text) && begin + 2 < written_.size() && written_[begin + 2].is("lambda");
      if (is_use(written_, k) && !defines && k > begin && (written_[k].is(own.text) || written_[k].is(module.text))) return true;
    }
    return false;
  }
  /// Whether a statement has given the weight a value.
  bool is_given_before(const Token& own) const {
    bool given = false;
    each_statement(written_, [&](const Tokens& s, std::size_t) { given = given || (s.size() > 2 && s[0].is(own.text) && assignment(s)); });
    return given;
  }
  /// Refuses to change a weight in place that has another name, too. After q.weight.data = W what was q.weight.data stays what it is.
  void require_own(const Token& own, const Token& at, bool gets_data = false) const {
    const auto stays = [&](const Token& t) { return gets_data && of_data_.count(t.span.begin) > 0; };
    each_statement(written_, [&](const Tokens& s, std::size_t end) {
      const auto equals = assignment(s);
      if (!equals || *equals + 1 >= s.size() || changes_in_place(s, *equals)) return;
      const Tokens value = between(s, *equals + 1);
      const bool new_tensor = std::any_of(value.begin(), value.end(), [](const Token& t) { return t.is("clone") || t.is("copy") || t.is("deepcopy") || t.is("*") || t.is("+") || t.is("-") || t.is("/") || t.is("@"); });
      const bool says_type = value.size() == 3 && value[1].is(".") && (value[2].is("dtype") || value[2].is("device") || value[2].is("shape"));
      const bool is_it = value[0].is(own.text) && !s[0].is(own.text) && !says_type && !stays(value[0]), is_other = s[0].is(own.text) && *equals == 1 && value.size() == 1 && value[0].kind == TokenKind::name;  // b.weight = a.weight
      for (std::size_t k = *equals + 1; k < s.size(); ++k) {
        if (s[k].is(own.text) && is_handed_on(s, k) && !stays(s[k])) fail("parse.unexpected", "a weight changes in place here, which " + describe(s[0]) + " may hold, too", at.span, "take a copy there: .clone()");
      }
      if ((is_it || is_other) && !new_tensor && (is_other || *equals != 1 || reads(slice(written_, end, written_.size()), s[0].text) || is_read_behind(s[0].text))) fail("parse.unexpected", "a weight changes in place here, which " + describe(is_it ? s[0] : value[0]) + " may be, too", at.span, "take a copy there: .clone()");
    });
  }
  /// Whether a statement reads the name, before one gives it another value.
  static bool reads(const Tokens& tokens, std::string_view name) {
    const bool plain = std::none_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.kind == TokenKind::block_begin; });  // no case in which it may keep its value
    for (const Tokens& s : statements_of(tokens)) {
      const bool gives = plain && assignment(s) == std::optional<std::size_t>(1) && s[0].is(name);
      if (names(s, name, gives ? 2 : 0)) return true;
      if (gives) return false;
    }
    return false;
  }
  /// The same of the program behind the statement that is read, and of functions anywhere.
  bool is_read_behind(std::string_view name) const {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is("lambda") && !(tokens_[k].is("def") && begins_statement(tokens_, k))) continue;
      if (names(slice(tokens_, k, tokens_[k].is("def") ? behind_statement(tokens_, k) : end_of_statement(tokens_, k)), name)) return true;
    }
    return reads(slice(tokens_, behind_, tokens_.size()), name);
  }
  /// Whether token k stands as it is in a list, or goes to a function of the program, which may give it on: [lin.weight], f(lin.weight). What libraries compute is new.
  static bool is_handed_on(const Tokens& s, std::size_t k) {
    const Token& before = s[k - 1];
    const std::size_t behind = k + 1 + (k + 2 < s.size() && s[k + 1].is(".") && (s[k + 2].is("data") || s[k + 2].is("T")) ? 2 : 0);
    const bool bare = (opens(before) || before.is(",") || before.is(":") || before.is("=")) && (behind >= s.size() || closes(s[behind]) || s[behind].is(","));
    const auto open = open_brackets(s, k);
    if (!bare || open.empty()) return false;
    const std::size_t bracket = open.back();
    if (s[bracket].is("(") && (bracket == 0 || s[bracket - 1].kind != TokenKind::name) && !has_outside(slice(s, bracket + 1, closing(s, bracket)), ",")) return false;  // 2 * (lin.weight)
    const bool call = s[bracket].is("(") && bracket > 0 && s[bracket - 1].kind == TokenKind::name, library = call && bracket > 1 && s[bracket - 2].is(".");
    const bool stacks = open.size() > 1 && open[open.size() - 2] > 1 && s[open[open.size() - 2] - 2].is(".");  // torch.cat([a.weight, b.weight])
    return !library && !(!call && stacks);
  }
  /// b.load_state_dict(a.state_dict()) of two layers: each weight of b is that of a.
  bool loaded(const Tokens& s) {
    const bool loads = s.size() == 10 && s[1].is(".") && s[2].is("load_state_dict") && s[3].is("(") && s[5].is(".") && s[6].is("state_dict") && s[7].is("(") && modules_.count(s[0].text) > 0 && modules_.count(s[4].text) > 0;
    if (!loads) return false;
    bool first = true;
    for (const auto& [of, own] : weights_) {
      if (of.first == s[4].text && weights_.count({s[0].text, of.second}) == 0) fail("parse.unexpected", describe(s[0]) + " has no " + of.second + ", which " + describe(s[4]) + " has", s[0].span, "load the weights of a module that is made alike");
      if (of.first != s[0].text) continue;
      const auto other = weights_.find({s[4].text, of.second});
      if (other == weights_.end()) fail("parse.unexpected", describe(s[4]) + " has no " + of.second + ", which " + describe(s[0]) + " has", s[0].span, "load the weights of a module that is made alike");
      if (depth_ > 0) fail("parse.unexpected", "a weight changes in a function, a case or a loop", s[0].span, "change it outside of these");
      const auto &shape = shapes_[of], &other_shape = shapes_[other->first];
      const bool alike = std::equal(shape.begin(), shape.end(), other_shape.begin(), other_shape.end(), [](const Tokens& a, const Tokens& b) { return text_of(a) == text_of(b); });
      if (!alike) fail("parse.unexpected", "these two modules are not made alike", s[0].span, "load the weights of a module of the same sizes");
      require_own(own, s[0]);
      if (!first) end_statement(s[0]);
      first = false;
      put_copy(own, other->second, s[0]);
    }
    return true;
  }
  /// own = other.clone()
  void put_copy(const Token& own, const Token& other, const Token& at) { put(written_, {own, symbol("=", at), other, symbol(".", at), {TokenKind::name, "clone", at.span}, symbol("(", at), symbol(")", at)}); }
  /// One more weight of the module has its value, after the last of which it can be called.
  void has_weight(const Token& name) {
    const auto waits = waiting_.find(name.text);
    if (waits == waiting_.end() || --waits->second.missing > 0) return;
    end_statement(name);
    put(written_, waits->second.function);
    waiting_.erase(waits);
  }
  /// p = copy.deepcopy(q), of a module: another one with the same weights, but for those that it is given below.
  bool copied_module(const Tokens& statement) {
    const std::size_t call = statement.size() > 4 && statement[2].is("copy") && statement[3].is(".") ? 4 : 2;
    const bool copies = statement.size() == call + 4 && statement[0].kind == TokenKind::name && statement[1].is("=") && statement[call].is("deepcopy") && statement[call + 1].is("(");
    const auto original = copies ? values_.find(statement[call + 2].text) : values_.end();
    if (original == values_.end() || !is_among(original->second[module_name(original->second)].text, layers_with_weights)) return false;
    std::vector<std::pair<std::string, Token>> same;
    for (const auto& [of, own] : weights_) {
      if (of.first == original->first && given_.emplace(statement[0].text, of.second).second) same.emplace_back(of.second, own);
    }
    made_.insert(statement[0].text);
    if (!made(statement[0], original->second)) return false;
    for (std::size_t k = 0; k < same.size(); ++k) {
      if (k > 0) end_statement(statement[0]);
      put_copy(weights_.at({statement[0].text, same[k].first}), same[k].second, statement[0]);
      has_weight(statement[0]);
    }
    return true;
  }

  void linear(const Token& name, const Token& module, const Arguments& given) {
    const Tokens *in = given.find(0, "in_features"), *out = given.find(1, "out_features"), *bias = given.find(2, "bias");
    require_known(given, module, 3, {"in_features", "out_features", "bias"});
    if (in == nullptr || out == nullptr) fail("call.arguments", "nn.Linear has two sizes", module.span, "write nn.Linear(d, k), of what goes in and what comes out");
    keep(name, "in_features", *in);
    keep(name, "out_features", *out);
    const Token weight = declare(name, "weight", module, {*out, *in});
    Tokens value{{TokenKind::name, input, module.span}, symbol("@", module), weight, symbol(".", module), {TokenKind::name, "T", module.span}};
    if (is_true(bias, module)) put(value, {symbol("+", module), declare(name, "bias", module, {*out})});
    as_function(name, module, value);
  }
  void embedding(const Token& name, const Token& module, const Arguments& given) {
    const Tokens *count = given.find(0, "num_embeddings"), *size = given.find(1, "embedding_dim");
    if (count == nullptr || size == nullptr || given.by_place.size() + given.by_name.size() != 2) fail("call.arguments", "nn.Embedding has two sizes", module.span, "write nn.Embedding(v, d), of the vocabulary and of a vector");
    keep(name, "num_embeddings", *count);
    keep(name, "embedding_dim", *size);
    const Token weight = declare(name, "weight", module, {*count, *size});
    as_function(name, module, {weight, symbol("[", module), {TokenKind::name, input, module.span}, symbol("]", module)});
  }
  /// With its gain, and the bias of LayerNorm.
  void norm(const Token& name, const Token& module, const Arguments& given) {
    const bool layer = module.is("LayerNorm");
    const Tokens *shape = given.find(0, "normalized_shape"), *eps = given.find(1, "eps"), *bias = given.find(3, "bias");
    if (layer) require_known(given, module, 4, {"normalized_shape", "eps", "elementwise_affine", "bias"});
    else require_known(given, module, 3, {"normalized_shape", "eps", "elementwise_affine"});
    if (shape == nullptr) fail("call.arguments", "nn." + std::string(module.text) + " has a size", module.span, "write nn." + std::string(module.text) + "(d)");
    const bool affine = is_true(given.find(2, "elementwise_affine"), module);
    const bool bracket = is_one_bracket(*shape);
    Tokens size = bracket ? inside(*shape, 1) : *shape;
    if (!size.empty() && size.back().is(",")) size.pop_back();
    if (parts_of(size).size() != 1) fail("call.arguments", "this module normalizes one axis here", shape->front().span, "write nn." + std::string(module.text) + "(d)");
    keep(name, "normalized_shape", size);
    const auto word = [&](std::string_view text) { return Token{TokenKind::name, text, module.span}; };
    Tokens value{word("F"), symbol(".", module), word(layer ? "layer_norm" : "rms_norm"), symbol("(", module), word(input), symbol(",", module), symbol("(", module)};
    put(value, size);
    put(value, {symbol(",", module), symbol(")", module)});
    const auto argument = [&](std::string_view parameter, const Tokens& tokens) {
      put(value, {symbol(",", module), word(parameter), symbol("=", module)});
      put(value, tokens);
    };
    const bool given_eps = eps != nullptr && !(eps->size() == 1 && eps->front().is("None"));
    if (given_eps) keep(name, "eps", *eps);
    else if (layer) keep(name, "eps", {{TokenKind::number, "1e-5", module.span}});
    if (affine) argument("weight", {declare(name, "weight", module, {size})});
    if (affine && layer && is_true(bias, module)) argument("bias", {declare(name, "bias", module, {size})});
    if (given_eps) argument("eps", *eps);
    value.push_back(symbol(")", module));
    as_function(name, module, value);
  }
  /// What it computes once it is trained: with the means and variances that it keeps.
  void batch_norm(const Token& name, const Token& module, const Arguments& given) {
    const Tokens *size = given.find(0, "num_features"), *eps = given.find(1, "eps");
    require_known(given, module, 5, {"num_features", "eps", "momentum", "affine", "track_running_stats"});
    if (size == nullptr || !is_true(given.find(4, "track_running_stats"), module)) fail("call.arguments", "nn.BatchNorm1d has a size, and keeps means and variances", module.span, "write nn.BatchNorm1d(d)");
    const bool trained = std::any_of(tokens_.begin(), tokens_.end(), [](const Token& t) { return t.is("train"); });
    if (trained || !(made_evaluated_ || is_evaluated_first(name))) fail("parse.unexpected", "what batch norm computes while it is trained depends on the other rows", module.span, "write nn.BatchNorm1d(d).eval(), after which it takes the mean and the variance that it keeps");
    keep(name, "num_features", *size);
    const Tokens otherwise{{TokenKind::number, "1e-5", module.span}}, &least = eps != nullptr ? *eps : otherwise;
    keep(name, "eps", least);
    const bool affine = is_true(given.find(3, "affine"), module);
    const auto word = [&](std::string_view text) { return Token{TokenKind::name, text, module.span}; };
    const Token mean = declare(name, "running_mean", module, {*size}), variance = declare(name, "running_var", module, {*size});
    const Tokens rows{word("shaped"), symbol("(", module), word(input), symbol(",", module), {TokenKind::number, "2", module.span}, symbol(")", module)};  // of three axes it would be another one that is normalized
    Tokens value{symbol("(", module)};
    put(value, rows);
    put(value, {symbol("-", module), mean, symbol(")", module), symbol("/", module), word("torch"), symbol(".", module), word("sqrt"), symbol("(", module), variance, symbol("+", module)});
    put(value, least);
    value.push_back(symbol(")", module));
    if (affine) put(value, {symbol("*", module), declare(name, "weight", module, {*size}), symbol("+", module), declare(name, "bias", module, {*size})});
    if (given_.count({name.text, "running_var"}) == 0) {
      put(written_, {word("assume"), variance, symbol(">=", module), {TokenKind::number, "0", module.span}});
      end_statement(module);
    }
    as_function(name, module, value);
  }
  /// Whether the first that the program does with the module, but for what it keeps, is bn.eval().
  bool is_evaluated_first(const Token& name) const {
    bool is_made = false;
    int depth = 0;
    for (std::size_t k = 0; k + 2 < tokens_.size(); ++k) {
      depth += step_into_block(tokens_[k]);
      if (!is_use(tokens_, k) || !tokens_[k].is(name.text)) continue;
      const bool kept = tokens_[k + 1].is(".") && is_among(tokens_[k + 2].text, kept_values);
      if (is_made && !kept) return depth == 0 && tokens_[k + 1].is(".") && tokens_[k + 2].is("eval");
      is_made = true;
    }
    return false;
  }
  /// g = nn.Parameter(torch.ones(d)): any tensor of that shape, as all weights are.
  bool parameter(const Token& name, const Arguments& given) {
    if (given.by_place.empty()) return false;
    const Tokens& value = given.by_place[0];
    static constexpr std::string_view makes[] = {"ones", "zeros", "empty", "randn", "rand"};
    const auto trained = given.by_name.find("requires_grad");
    const bool fixed = trained != given.by_name.end() && !is_true(&trained->second, name);
    const bool drawn = !fixed && value.size() > 4 && value[0].is("torch") && value[1].is(".") && std::find(std::begin(makes), std::end(makes), value[2].text) != std::end(makes) && is_one_bracket(between(value, 3));
    put(written_, {name, symbol("=", name)});
    parameters_[name.text] = written_.size();
    for (std::size_t k = 0; k < value.size(); ++k) written_.push_back(drawn && k == 2 ? Token{TokenKind::name, "randn", value[k].span} : value[k]);
    return true;
  }
  /// mlp = nn.Sequential(a, b), of modules that have names by now: what each makes of what the one before it gave.
  void in_turn(const Token& name, const Token& module, const Arguments& given) {
    Tokens value{{TokenKind::name, input, module.span}};
    for (const Tokens& item : given.by_place) {
      value.insert(value.begin(), symbol("(", module));
      value.insert(value.begin(), item.begin(), item.end());
      value.push_back(symbol(")", module));
    }
    as_function(name, module, value);
  }

  static bool is_true(const Tokens* flag, const Token& module) {
    if (flag == nullptr) return true;
    const Tokens value = without_brackets(*flag);
    if (value.size() == 1 && (value[0].is("True") || value[0].is("False"))) return value[0].is("True");
    fail("call.arguments", "whether there is a bias is not known", value.empty() ? module.span : value[0].span, "write bias=True or bias=False");
  }

  Token unused(std::string name, const Token& at) {
    while (!used_.insert(name).second) name += "_";
    words_.push_back(std::move(name));
    return {TokenKind::name, words_.back(), at.span};
  }
  void end_statement(const Token& at) { written_.push_back({TokenKind::separator, "\n", at.span}); }
  /// Declares q_weight, which q.weight means from here on.
  Token declare(const Token& name, const std::string& attribute, const Token& at, const std::vector<Tokens>& shape) {
    const Token own = unused(std::string(name.text) + "_" + attribute, at);
    weights_[{name.text, attribute}] = own;
    shapes_[{name.text, attribute}] = shape;
    if (given_.count({name.text, attribute}) > 0) {
      ++waiting_[name.text].missing;
      return own;
    }
    put(written_, {own, symbol(":", at), symbol("[", at)});
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (k > 0) written_.push_back(symbol(",", at));
      put(written_, shape[k]);
    }
    written_.push_back(symbol("]", at));
    end_statement(at);
    return own;
  }
  /// What lin.in_features is where the program asks for it: the number, or a name for the value that is given here.
  void keep(const Token& name, std::string_view attribute, const Tokens& value) {
    bool asked = false;
    for (std::size_t k = 1; k < tokens_.size() && !asked; ++k) asked = tokens_[k].is(attribute) && tokens_[k - 1].is(".");
    const bool plain = value.size() == 1 && value[0].kind == TokenKind::number;
    if (!asked) return;
    Token& kept = kept_[{name.text, std::string(attribute)}] = plain ? value[0] : unused(std::string(name.text) + "_" + std::string(attribute), name);
    if (plain) return;
    put(written_, {kept, symbol("=", name)});
    put(written_, value);
    end_statement(name);
  }
  void as_function(const Token& name, const Token& at, const Tokens& value) {
    Tokens function{name, symbol("=", at), {TokenKind::name, "lambda", at.span}, {TokenKind::name, input, at.span}, symbol(":", at)};
    put(function, value);
    const auto waits = waiting_.find(name.text);
    if (waits == waiting_.end()) put(written_, function);
    else waits->second.function = std::move(function);
  }

  /// q.weight by the name of what was declared for it.
  Tokens with_weights(const Tokens& tokens) const {
    if (modules_.empty()) return tokens;
    Tokens found;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const bool attribute = is_use(tokens, k) && k + 2 < tokens.size() && tokens[k + 1].is(".");
      if (attribute && modules_.count(tokens[k].text) > 0 && tokens[k + 2].is("forward") && k + 3 < tokens.size() && tokens[k + 3].is("(")) {
        found.push_back(tokens[k]);
        k += 2;
        continue;
      }
      if (const auto kept = attribute ? kept_.find({tokens[k].text, std::string(tokens[k + 2].text)}) : kept_.end(); kept != kept_.end()) {
        found.push_back({kept->second.kind, kept->second.text, tokens[k].span});
        k += 2;
        continue;
      }
      const auto weight = attribute ? weights_.find({tokens[k].text, std::string(tokens[k + 2].text)}) : weights_.end();
      if (weight == weights_.end() && attribute && weights_.count({tokens[k].text, "weight"}) > 0 && tokens[k + 2].kind == TokenKind::name) fail("name.unknown", describe(tokens[k]) + " has no " + describe(tokens[k + 2]), tokens[k + 2].span, weights_.count({tokens[k].text, "bias"}) > 0 ? "it has `weight` and `bias`" : "it has `weight`");
      if (weight == weights_.end()) {
        found.push_back(tokens[k]);
        continue;
      }
      const auto is = [&](std::size_t at, std::string_view text) { return k + at < tokens.size() && tokens[k + at].is(text); };
      const std::size_t data = is(3, ".") && is(4, "data") ? 2 : 0;
      const bool in_place = is(data + 3, ".") && k + data + 5 < tokens.size() && tokens[k + data + 4].text.ends_with("_") && tokens[k + data + 5].is("(");
      if (in_place) fail("parse.unexpected", "a weight is not changed in place here", tokens[k + data + 4].span, "give it its value before it is used: " + std::string(tokens[k].text) + "." + weight->first.second + " = ...");
      found.push_back({TokenKind::name, weight->second.text, tokens[k].span});
      k += 2 + data;
    }
    return found;
  }

  Tokens tokens_;
  Words& words_;
  Tokens written_;
  int depth_ = 0;                        ///< of the blocks around the statement that is read
  std::size_t behind_ = 0;               ///< the place behind it
  bool made_evaluated_ = false;          ///< the module of that statement is made with .eval()
  std::set<std::string> used_;           ///< names of the program, and those made here
  std::set<std::string_view> modules_;   ///< names of modules
  std::map<std::string_view, std::size_t> parameters_;  ///< names of nn.Parameter(...), and where their values begin
  std::set<std::string_view> made_;      ///< the same, and of those without weights, nn.ReLU()
  std::map<std::string_view, Tokens> values_;  ///< what modules are made by
  std::map<std::pair<std::string_view, std::string>, Token> weights_;
  std::map<std::pair<std::string_view, std::string>, std::vector<Tokens>> shapes_;  ///< of these
  std::map<std::pair<std::string_view, std::string>, Token> kept_;  ///< lin.in_features, ln.eps
  std::set<std::size_t> of_data_;  ///< where q.weight.data stands, by the text
  struct Waiting {
    Tokens function;
    std::size_t missing = 0;  ///< weights that have no value yet
  };
  std::map<std::string_view, Waiting> waiting_;                      ///< modules whose weights are given below
  std::set<std::pair<std::string_view, std::string>> given_;  ///< these weights
};

}  // namespace

std::size_t initialized_at(const Tokens& s) {
  std::size_t k = 0;
  while (k + 2 < s.size() && s[k].kind == TokenKind::name && s[k + 1].is(".")) k += 2;
  const bool call = k > 1 && s[k - 2].is("init") && k + 1 < s.size() && s[k].text.ends_with("_") && s[k + 1].is("(") && closing(s, k + 1) + 1 == s.size();
  return call ? k + 2 : 0;
}

bool gives_random_values(std::string_view function) {
  static constexpr std::string_view random[] = {"normal_", "uniform_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "trunc_normal_"};
  return is_among(function, random);
}

std::size_t module_name(const Tokens& value) {
  std::size_t k = 0;
  while (k + 1 < value.size() && (value[k].is("torch") || value[k].is("nn")) && value[k + 1].is(".")) k += 2;
  const bool call = k > 0 && value[k - 2].is("nn") && k + 2 < value.size() && value[k + 1].is("(") && is_one_bracket(between(value, k + 1));
  return call ? k : 0;
}

ModuleArguments module_arguments(const Tokens& value) {
  ModuleArguments found;
  for (const Tokens& part : parts_of(inside(value, module_name(value) + 2))) {
    if (part.empty()) continue;
    if (is_by_name(part)) found.by_name[part[0].text] = between(part, 2);
    else found.by_place.push_back(part);
  }
  return found;
}

std::vector<Tokens> one_by_one(const Tokens& statement) {
  const auto equals = assignment(statement);
  if (!equals || changes_in_place(statement, *equals)) return {statement};
  const Tokens right = between(statement, *equals + 1);
  const auto targets = parts_of(between(statement, 0, static_cast<std::ptrdiff_t>(*equals)));
  const auto values = parts_of(targets.size() > 1 && is_one_bracket(right) ? inside(right, 1) : right);
  const bool plain = targets.size() == values.size() && std::all_of(targets.begin(), targets.end(), [&](const Tokens& t) { return t.size() == 1 && t[0].kind == TokenKind::name && !names(statement, t[0].text, *equals); });
  if (!plain || has_outside(right, "=")) return {statement};
  std::vector<Tokens> found;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    found.push_back({targets[k][0], statement[*equals]});
    put(found.back(), values[k]);
  }
  return found;
}

std::map<std::string_view, Token> named_numbers(const Tokens& tokens) {
  std::map<std::string_view, Token> found;
  each_statement(tokens, [&](const Tokens& statement, std::size_t) {
    for (const Tokens& one : one_by_one(statement)) {
      if (one.size() == 3 && one[0].kind == TokenKind::name && one[1].is("=") && one[2].kind == TokenKind::number) found.emplace(one[0].text, one[2]);
    }
  });
  const auto values = found.empty() ? std::map<std::string_view, int>{} : values_given(tokens);
  std::erase_if(found, [&](const auto& n) { return values.at(n.first) != 1; });
  return found;
}

Tokens with_layers(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("nn"); });
  return any ? Layers(std::move(tokens), words).run() : tokens;  // nearly never
}

Tokens with_weights_drawn(Tokens tokens) {
  if (std::none_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("uniform_"); })) return tokens;  // nearly always
  Tokens found;
  int depth = 0;  // of functions and other blocks
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    const std::size_t init = initialized_at(s);
    const Token* const method = called_alone(s);
    const std::size_t name = method == nullptr ? 0 : static_cast<std::size_t>(method - s.data());
    std::vector<Tokens> bounds = name > 0 ? parts_of(slice(s, name + 2, s.size() - 1)) : std::vector<Tokens>{};
    Tokens weight;
    if (init > 0 && bounds.size() == 3) {
      weight = bounds[0];
      bounds.erase(bounds.begin());
    } else if (init == 0 && bounds.size() == 2) {
      weight = slice(s, 0, name - 1);
    }
    for (Tokens& b : bounds) b = is_by_name(b) ? between(b, 2) : b;  // a=0.5, b=1.5
    if (weight.size() > 2 && weight.back().is("data")) weight.resize(weight.size() - 2);
    if (depth > 0 || method == nullptr || !method->is("uniform_") || weight.size() < 3) {
      put(found, s);
    } else {
      const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, method->span}; };
      const auto word = [&](std::string_view text) { return Token{TokenKind::name, text, method->span}; };
      put(found, weight);
      put(found, {symbol("."), word("data"), symbol("="), symbol("(")});
      put(found, bounds[0]);
      put(found, {symbol(")"), symbol("+"), symbol("("), symbol("(")});
      put(found, bounds[1]);
      put(found, {symbol(")"), symbol("-"), symbol("(")});
      put(found, bounds[0]);
      put(found, {symbol(")"), symbol(")"), symbol("*"), word("torch"), symbol("."), word("rand_like"), symbol("(")});
      put(found, weight);
      found.push_back(symbol(")"));
    }
    if (end == tokens.size()) return;
    depth += step_into_block(tokens[end]);
    found.push_back(tokens[end]);
  });
  return found;
}

Tokens with_functions(Tokens tokens) {
  if (std::none_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("nn"); })) return tokens;  // nearly always
  static constexpr std::pair<std::string_view, std::string_view> modules[] = {{"Softmax", "softmax"}, {"LogSoftmax", "log_softmax"}, {"ReLU", "relu"}, {"GELU", "gelu"}, {"SiLU", "silu"}, {"Sigmoid", "sigmoid"}, {"Tanh", "tanh"}, {"ELU", "elu"},
                                                                              {"LeakyReLU", "leaky_relu"}, {"Softplus", "softplus"}, {"LayerNorm", "layer_norm"}, {"RMSNorm", "rms_norm"}, {"Mish", "mish"}, {"ReLU6", "relu6"},
                                                                              {"Hardtanh", "hardtanh"}, {"Hardswish", "hardswish"}, {"Hardsigmoid", "hardsigmoid"}, {"Softsign", "softsign"}, {"Tanhshrink", "tanhshrink"}, {"GLU", "glu"},
                                                                              {"Softmin", "softmin"}, {"MSELoss", "mse_loss"}, {"L1Loss", "l1_loss"}, {"CrossEntropyLoss", "cross_entropy"}, {"NLLLoss", "nll_loss"}, {"KLDivLoss", "kl_div"},
                                                                              {"BCELoss", "binary_cross_entropy"}, {"BCEWithLogitsLoss", "binary_cross_entropy_with_logits"}};
  Tokens found;
  const auto without_weights = [&](std::size_t k) { return k + 3 < tokens.size() && tokens[k].is(",") && tokens[k + 1].is("elementwise_affine") && tokens[k + 2].is("=") && tokens[k + 3].is("False"); };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (without_weights(k)) tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(k), tokens.begin() + static_cast<std::ptrdiff_t>(k + 4));
  }
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool call = k + 3 < tokens.size() && tokens[k].is("nn") && tokens[k + 1].is(".") && tokens[k + 3].is("(");
    const auto module = call ? std::find_if(std::begin(modules), std::end(modules), [&](const auto& m) { return tokens[k + 2].is(m.first); }) : std::end(modules);
    if (module == std::end(modules)) {
      found.push_back(tokens[k]);
      continue;
    }
    const std::size_t given = closing(tokens, k + 3), end = given + 1 < tokens.size() && tokens[given + 1].is("(") ? closing(tokens, given + 1) : tokens.size();
    const bool method = !found.empty() && found.back().is("."), torch = method && found.size() > 1 && found[found.size() - 2].is("torch");
    std::size_t comma = k + 4;
    while (comma < given && !tokens[comma].is(",")) comma = tokens[comma].is("(") || tokens[comma].is("[") ? closing(tokens, comma) + 1 : comma + 1;
    const bool norm = module->second.find("norm") != std::string_view::npos, eps = norm && comma + 1 < given && !tokens[comma + 2].is("=");
    const std::size_t written = found.size() - (torch ? 2 : 0);
    const bool named = given < tokens.size() && end == tokens.size() && written > 1 && found[written - 1].is("=") && found[written - 2].kind == TokenKind::name && (written == 2 || found[written - 3].kind == TokenKind::separator);  // norm = nn.LayerNorm(d)
    static constexpr std::string_view without_arguments[] = {"ReLU", "GELU", "SiLU", "Sigmoid", "Tanh", "Mish", "ReLU6", "Hardswish", "Hardsigmoid", "Softsign", "Tanhshrink", "MSELoss", "L1Loss"};
    const bool of_value = end >= tokens.size() && given > k + 4 && given < tokens.size() && is_among(module->first, without_arguments) && !tokens[k + 5].is("=") && !tokens[k + 4].is("True") && !tokens[k + 4].is("False");
    if (of_value) fail("call.arguments", "`nn." + std::string(module->first) + "` makes a module, which takes the tensor when it is called", {tokens[k].span.begin, tokens[given].span.end}, "write nn." + std::string(module->first) + "()(x), or F." + std::string(module->second) + "(x)");
    if ((end >= tokens.size() && !named) || (method && !torch)) {
      found.push_back(tokens[k]);
      continue;
    }
    if (torch) found.resize(found.size() - 2);
    const auto copy = [&](std::size_t first, std::size_t last) {
      put(found, with_functions(slice(tokens, first, last)));
    };
    const Token input{TokenKind::name, module_input, tokens[k].span}, comma_between{TokenKind::symbol, ",", input.span};
    Tokens inputs{input};
    if (module->first.ends_with("Loss")) put(inputs, {comma_between, {TokenKind::name, module_target, input.span}});
    if (named) {
      found.push_back({TokenKind::name, "lambda", input.span});
      put(found, inputs);
      found.push_back({TokenKind::symbol, ":", input.span});
    }
    found.push_back({TokenKind::name, "F", tokens[k].span});
    found.push_back(tokens[k + 1]);
    found.push_back({TokenKind::name, module->second, tokens[k + 2].span});
    if (named) {
      found.push_back(tokens[k + 3]);
      put(found, inputs);
    }
    if (!named) copy(given + 1, end);  // what the module is called with, then what it was made with
    if (given > k + 4) found.push_back(comma_between);
    copy(k + 4, eps ? comma + 1 : given);
    if (eps) {  // the second argument of a norm is its eps, that of F.layer_norm a weight
      found.push_back({TokenKind::name, "eps", tokens[comma].span});
      found.push_back({TokenKind::symbol, "=", tokens[comma].span});
      copy(comma + 1, given);
    }
    k = named ? given : end;
    found.push_back(tokens[k]);
  }
  return found;
}

Tokens without_self(Tokens tokens) {
  Tokens kept;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool attribute = k + 3 < tokens.size() && tokens[k].is("self") && tokens[k + 1].is(".") && tokens[k + 2].kind == TokenKind::name && !tokens[k + 2].is("T") && !tokens[k + 3].is("(");
    if (attribute) k += 2;
    kept.push_back(tokens[k]);
  }
  return kept;
}

}  // namespace foldproof::program
