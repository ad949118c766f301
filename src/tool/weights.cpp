// SPDX-License-Identifier: MIT
// foldproof weights: questions about the tensors of a checkpoint. Exit status: 0 equal or rounding, 1 a bug, 2 bad input, 3 unclear.
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "diagnose/check.hpp"
#include "diagnose/check_text.hpp"
#include "diagnose/diagnose.hpp"
#include "diagnose/fitted_reading.hpp"
#include "diagnose/fold.hpp"
#include "diagnose/held_format.hpp"
#include "expr/syntax.hpp"
#include "record/files.hpp"
#include "report/text.hpp"
#include "run/report_json.hpp"
#include "tool/command.hpp"
#include "tool/given.hpp"
#include "tool/input.hpp"
#include "tool/row_blocks.hpp"
#include "verdict/decide.hpp"
#include "weights/binding.hpp"
#include "weights/checkpoint.hpp"
#include "weights/listing.hpp"
#include "weights/safetensors.hpp"

namespace foldproof::tool {

namespace {

int status(const std::vector<diagnose::Check>& checks) {
  int worst = exit_ok;
  for (const diagnose::Check& check : checks) {
    if (check.decision.reason == verdict::Reason::internal_error) return exit_internal;
    if (!is_answered(check)) return exit_bad_input;
    if (check.answer == diagnose::Answer::bug) worst = exit_differs;
    if (check.answer == diagnose::Answer::unclear && worst == exit_ok) worst = exit_undecided;
  }
  return worst;
}

/// The worst of all; what was not checked is unclear.
diagnose::Answer word_of(const std::vector<diagnose::Check>& checks, std::size_t unmatched) {
  const diagnose::Answer worst = diagnose::worst_of(checks);
  return unmatched > 0 && worst != diagnose::Answer::bug ? diagnose::Answer::unclear : worst;
}

/// "; bug in 3, 137; unclear in 5": which of many layers to look at, the first of them.
std::string not_right(const std::vector<diagnose::Check>& checks) {
  constexpr std::size_t few = 8;  // what a line holds
  std::string out;
  for (const auto answer : {diagnose::Answer::bug, diagnose::Answer::unclear}) {
    std::vector<std::string> names;
    std::size_t count = 0;
    for (const diagnose::Check& c : checks) {
      if (c.answer != answer || (!names.empty() && names.back() == c.star)) continue;  // of several claims about a layer
      if (++count <= few) names.push_back(c.star);
    }
    if (!names.empty()) out += fmt::format("; {} in {}{}", text(answer), fmt::join(names, ", "), count > few ? fmt::format(" and {} more", count - few) : "");
  }
  return out;
}

/// One word for all layers, and how many there are of each: "all layers: bug (1 bug, 11 equal)". A `*` that fits one layer alone is said: more
/// were expected.
std::string overall(const std::vector<diagnose::Check>& checks, std::size_t unmatched, const std::vector<std::string>& stars) {
  using diagnose::Answer;
  std::string counts;
  for (const auto answer : {Answer::bug, Answer::unclear, Answer::rounding, Answer::equal}) {
    const auto count = std::count_if(checks.begin(), checks.end(), [&](const auto& c) { return c.answer == answer; });
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, text(answer));
  }
  if (unmatched > 0) counts += fmt::format(", {} not checked", unmatched);
  if (stars.size() == 1) counts += ", `*` is " + stars.front() + " alone";
  return fmt::format("all layers: {} ({}){}\n", text(word_of(checks, unmatched)), counts, not_right(checks));
}

/// Why a claim has no answer; its id, where there are others.
void complain(const diagnose::Check& check, bool others) {
  const verdict::Decision& decision = check.decision;
  if (check.misfit) {
    expr::Diagnostic misfit = *check.misfit;
    if (others) misfit.message = check.claim.id + ": " + misfit.message;
    tool::complain(expr::Error(std::move(misfit)));
  } else if (decision.diagnostic) {
    std::cerr << record::render(check.claim, *decision.diagnostic);
  } else {
    std::cerr << "foldproof: " << check.claim.file << ": " << check.claim.id << ": " << decision.detail << "\n";
  }
}

/// Of several claims each takes the tensors that it mentions; one that none mentions is a slip.
void check_names(const run::Given& given, const std::vector<record::ClaimRecord>& claims) {
  for (const auto& source : given.sources) {
    const auto has = [&](const record::ClaimRecord& claim) { return diagnose::mentions(claim.text, source.first); };
    if (std::none_of(claims.begin(), claims.end(), has)) expr::fail("bind.name", "no claim has a tensor called " + source.first, {}, "bind what the claims name, or leave it out");
  }
}

weights::Tensor stored(diagnose::Fold fold) {
  weights::Tensor tensor{fold.shape, std::move(fold.values), weights::Format::float64};
  for (const auto format : {weights::Format::float32, weights::Format::bfloat16, weights::Format::float16}) {
    if (weights::text(format) == fold.format) tensor.format = format;
  }
  return tensor;
}

std::string described(const std::string& name, const diagnose::Fold& fold) {
  std::string out = fmt::format("{} [{}] {}\n", name, fmt::join(fold.shape, ", "), fold.format);
  if (fold.format == "float64") return out + fmt::format("  every entry is within {:.2g} of the exact value\n", fold.largest_bound);
  out += fmt::format("  {} of {} entries are the nearest {} to the exact value, by their bounds", fold.certain, fold.values.size(), fold.format);
  if (fold.lost > 0) out += fmt::format("; {} of them are 0 there, because they are smaller than its numbers", fold.lost);
  return out + (fold.certain < fold.values.size() ? fmt::format("; at the others float64 arithmetic, within {:.2g}, does not tell which of two neighbours is", fold.largest_bound) : "") + "\n";
}

/// A layer that only some of the bindings have is no reason not to look at the others, but is not passed over in silence.
int with_partial(const GivenReader& reader, const char* what, int status) {
  if (reader.partial().empty()) return status;
  std::cerr << fmt::format("foldproof: not {}, because only some of the bindings name a tensor: {}\n  hint: bind what belongs together by its whole name\n", what, fmt::join(reader.partial(), "; "));
  return status == exit_ok ? exit_undecided : status;
}

/// "7 (tensor `g` holds NaN at [3])"
std::string not_checked(const std::string& star, const expr::Diagnostic& why) { return star + " (" + why.message + ")"; }

/// --force replaces an older result, never a checkpoint that is being read: the other tensors in it would be gone.
void keep_inputs(const std::string& out, const GivenReader& reader) {
  std::error_code none;
  for (const run::InputFile& file : reader.files()) {
    if (std::filesystem::equivalent(out, file.path, none)) expr::fail("usage", "--out " + out + " is one of the files that are read", {}, "a fold holds the folded tensors only; write it to a file of its own");
  }
}

/// Computed in float64 and rounded once, to the format that holds the tensors it is made of.
int fold(const WeightsArguments& arguments) {
  namespace fs = std::filesystem;
  if (!arguments.files.empty() || arguments.texts.size() != 1) expr::fail("usage", "weights fold needs one expression", {}, "-e 'g.T * W'");
  if (arguments.json) expr::fail("usage", "weights fold has no --json", {});
  if (arguments.name.empty() || arguments.out.empty()) expr::fail("usage", "weights fold needs --name TENSOR and --out FILE.safetensors", {});
  if (fs::path(arguments.out).extension() != ".safetensors") expr::fail("usage", "--out " + arguments.out + " is not called .safetensors", {});
  if (arguments.name == "__metadata__") expr::fail("usage", "no tensor can be called __metadata__", {});
  std::error_code ignored;
  if (!arguments.force && fs::exists(fs::symlink_status(arguments.out, ignored))) expr::fail("usage", arguments.out + " is there already", {}, "--force replaces it");
  if (arguments.given.weights.empty()) expr::fail("usage", "weights fold needs --weights FILE and --bind NAME=TENSOR", {});
  const GivenReader reader(arguments.given);
  keep_inputs(arguments.out, reader);
  const bool several = !reader.stars().front().empty();
  if (several != (arguments.name.find('*') != std::string::npos)) expr::fail("usage", several ? "the bindings have a `*`, and so must --name" : "--name has a `*`, and no binding has one", {});
  std::vector<weights::NamedTensor> tensors;
  std::vector<std::pair<std::string, std::string>> metadata{{"foldproof.expression", arguments.texts.front()}};
  std::string lines;
  for (const std::string& star : reader.stars()) {
    diagnose::Fold result;
    std::vector<std::pair<std::string, std::string>> sources;
    const std::string& expression = arguments.texts.front();
    if (const auto blocks = blocks_of_expression(expression, reader, star)) {
      run::parallel(1, 1, [&](std::size_t) { result = fold_blocks(reader, star, *blocks, expression, arguments.format, sources); });
    } else {
      const run::Given given = reader.read(star);
      sources = given.sources;
      run::parallel(1, 1, [&](std::size_t) { result = diagnose::fold(expression, given, arguments.format); });
    }
    const std::string name = several ? weights::with_star(arguments.name, star) : arguments.name;
    if (std::any_of(tensors.begin(), tensors.end(), [&](const weights::NamedTensor& t) { return t.name == name; })) expr::fail("usage", "--name has fewer `*` than the bindings, so that several tensors would have the name " + name, {});
    lines += described(name, result);
    for (const auto& [variable, source] : sources) metadata.emplace_back("foldproof.bind." + variable + (several ? "." + star : ""), source);
    tensors.push_back({name, stored(std::move(result))});
  }
  record::leave_nothing_when_interrupted(exit_interrupted);
  record::write_atomically(arguments.out, weights::safetensors_bytes(tensors, metadata));
  std::cout << "wrote " << arguments.out << (several ? ", " + std::to_string(tensors.size()) + " tensors\n" : ": ") << lines;
  return with_partial(reader, "folded", exit_ok);
}

/// The tensors by the names that --bind takes.
int list(const WeightsArguments& arguments) {
  const bool asks_more = !arguments.texts.empty() || !arguments.given.bindings.empty() || !arguments.given.dims.empty() || !arguments.name.empty() || !arguments.out.empty() || arguments.json;
  if (asks_more) expr::fail("usage", "weights list takes nothing but files of tensors", {}, "foldproof weights list model.safetensors");
  std::vector<std::string> names = arguments.files;
  names.insert(names.end(), arguments.given.weights.begin(), arguments.given.weights.end());
  if (names.empty()) expr::fail("usage", "weights list needs the files of a checkpoint", {}, "foldproof weights list model.safetensors");
  std::cout << weights::listing(weights::open_checkpoint(names).files);
  return exit_ok;
}

/// The check of the tensors in the format that their numbers have, which the given ones get.
diagnose::Check check_as_held(const record::ClaimRecord& claim, run::Given& given, std::uint64_t seed, bool brief = false) {
  std::string held = diagnose::take_for_narrower(given);
  diagnose::Check check = diagnose::check(claim, given, seed, brief);
  const auto is_open = [&] { return check.result && check.decision.problem && (check.answer == diagnose::Answer::bug || check.answer == diagnose::Answer::unclear); };
  if (const std::string result = is_open() ? diagnose::take_result_for_narrower(given, *check.decision.problem) : ""; !result.empty()) {
    held = result;
    check = diagnose::check(claim, given, seed, brief);
  }
  if (is_open()) {  // few numbers tell this, so that it counts where it explains something
    std::map<std::string, std::string> formats;
    for (const auto& [name, tensor] : given.tensors) formats[name] = tensor.format;
    const std::string result = diagnose::take_result_for_twice_rounded(given, *check.decision.problem);
    diagnose::Check other = result.empty() ? diagnose::Check() : diagnose::check(claim, given, seed, brief);
    if (!result.empty() && is_answered(other) && diagnose::worst_of({check, other}) != other.answer) {
      held = result;
      check = std::move(other);
    } else {
      for (auto& [name, tensor] : given.tensors) tensor.format = formats.at(name);
    }
  }
  if (!held.empty() && check.result) check.note = held + (check.note.empty() ? "" : "; " + check.note);
  return check;
}

/// Steps of a program take and free tensors of one size over and over. Given back to the system, each costs a fault for every page. Memory of
/// a thread's own is kept in pieces that are too small for tensors, so that all threads share what there is.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace

int weights(const WeightsArguments& arguments) {
  keep_freed_memory();
  if (arguments.question == "list") return list(arguments);
  if (arguments.question == "fold") return fold(arguments);
  if (!arguments.name.empty() || !arguments.out.empty() || arguments.force || !arguments.format.empty()) expr::fail("usage", "--name, --out, --format and --force belong to weights fold", {});
  const std::vector<record::ClaimRecord> claims = all_claims(arguments.files, arguments.texts);
  if (claims.empty()) expr::fail("usage", "there is no claim to check", {}, "foldproof weights check -e 'g.T * W == M' --weights FILE --bind g=... W=... M=...");
  if (arguments.given.weights.empty()) expr::fail("usage", "weights " + arguments.question + " needs --weights FILE and --bind NAME=TENSOR", {});
  GivenArguments asked = arguments.given;
  asked.others = arguments.question == "diagnose";
  asked.keep_nonfinite = true;
  const GivenReader reader(asked);
  const bool several = !reader.stars().front().empty();
  Json json{{"schema", "foldproof-weights-1"}, {"answer", nullptr}, {"inputs", Json::array()}, {"results", Json::array()}};
  for (const run::InputFile& file : reader.files()) json["inputs"].push_back(run::to_json(file));
  std::vector<diagnose::Check> checks;
  std::set<std::string> told;  // claims that cannot be answered, which the next layer has as well
  std::vector<std::string> unchecked = reader.partial(), empty;
  std::optional<expr::Error> first_unread;
  for (const std::string& star : reader.stars()) {
    run::Given all;
    const auto blocks = claims.size() == 1 ? blocks_of_claim(claims.front().text, reader, star) : std::nullopt;
    try {
      if (!blocks) all = reader.read(star);
    } catch (const expr::Error& e) {
      if (several && e.diagnostic().code == "weights.empty" && reader.have_no_elements(star)) {
        empty.push_back(star);
        continue;
      }
      if (!several) throw;
      if (!first_unread) first_unread = e;
      unchecked.push_back(not_checked(star, e.diagnostic()));  // a layer that holds a NaN says nothing of the others
      continue;
    }
    if (claims.size() > 1) check_names(all, claims);
    for (const record::ClaimRecord& claim : claims) {  // one after the other: a checkpoint takes the memory of several claims
      if (told.count(claim.id) > 0) continue;
      run::Given given = claims.size() > 1 ? diagnose::those_mentioned(claim.text, all) : std::move(all);  // large, perhaps, and of no more use
      diagnose::Check check;
      run::parallel(1, 1, [&](std::size_t) {
        const auto of_block = [&](run::Given& part) { return check_as_held(claim, part, arguments.seed, true); };
        const auto explained = [&](diagnose::Check found) {
          const bool clear = is_answered(found) && found.answer != diagnose::Answer::unclear;
          if (clear && found.result && arguments.question == "diagnose") found.diagnosis = diagnose::diagnose(found, given, arguments.seed);
          return found;
        };
        check = explained(blocks ? check_blocks(reader, star, *blocks, of_block, given) : check_as_held(claim, given, arguments.seed));
        if (blocks && blocks->fits_at_once && check.answer == diagnose::Answer::bug && check.diagnosis && check.diagnosis->found.empty()) {  // a mistake across all rows, perhaps
          given = reader.read(star);
          check = explained(check_as_held(claim, given, arguments.seed));
        }
      });
      check.star = star;
      json["results"].push_back(diagnose::to_json(check, given));
      if (several && check.misfit) {
        if (!first_unread) first_unread = expr::Error(*check.misfit);
        unchecked.push_back(not_checked((claims.size() > 1 ? claim.id + ", " : "") + star, *check.misfit));
        continue;
      }
      if (!is_answered(check)) {
        told.insert(claim.id);
        complain(check, claims.size() > 1);
      } else if (!arguments.json) {
        const bool good = check.answer == diagnose::Answer::equal || check.answer == diagnose::Answer::rounding;
        if (several) std::cout << (claims.size() > 1 ? claim.id + ", " : "") << diagnose::line(check) << std::flush;
        if (!several || (!good && arguments.question == "diagnose")) std::cout << (several || checks.size() == told.size() ? "" : "\n") << diagnose::text(check);
      }
      check.result.reset();  // of thousands of checks only the answers are kept
      checks.push_back(std::move(check));
    }
  }
  if (checks.empty() && first_unread) throw *first_unread;
  if (checks.empty() && !empty.empty()) expr::fail("weights.empty", "no tensor that `*` stands for has an element", {}, "every dimension of a claim is at least 1");
  if (!unchecked.empty()) json["unmatched"] = unchecked;
  if (!empty.empty()) json["empty"] = empty;
  if (told.empty()) json["answer"] = text(word_of(checks, unchecked.size()));
  if (several && told.empty() && !arguments.json) std::cout << overall(checks, unchecked.size(), reader.stars());
  if (arguments.json) std::cout << record::dump(json);
  for (std::size_t k = reader.partial().size(); k < unchecked.size(); ++k) std::cerr << "foldproof: not checked: " << unchecked[k] << "\n";
  for (const std::string& star : empty) std::cerr << "foldproof: no element to compare: " << star << "\n";
  const int answer = status(checks);
  return with_partial(reader, "checked", answer == exit_ok && !unchecked.empty() ? exit_undecided : answer);
}

}  // namespace foldproof::tool
