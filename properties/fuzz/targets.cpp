// SPDX-License-Identifier: MIT
#include "fuzz/targets.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "expr/build.hpp"
#include "infer/problem.hpp"
#include "kernel/mutate.hpp"
#include "read/numpy.hpp"
#include "properties_random.hpp"
#include "prove/evaluation.hpp"
#include "read/parse.hpp"
#include "record/certificate_json.hpp"
#include "record/claim_json.hpp"

namespace foldproof::properties::fuzz {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw Finding(what);
}

/// A complaint has a code and a message, and shows its place in the text without trouble.
void require_complaint(const expr::Error& e, std::string_view text) {
  const expr::Diagnostic& d = e.diagnostic();
  require(!d.code.empty() && !d.message.empty(), "a complaint without code or message");
  require(d.span.begin <= d.span.end && d.span.end <= text.size() + 1, "a complaint about a place outside the text");
  require(!expr::render(d, text, "file").empty(), "a complaint that cannot be shown");
}

/// As it is read where it is written at once: a function may have put a comparison, or zeros and ones by one, beside a factor.
expr::Expression written_at_once(const expr::Expression& e) {
  return expr::changed(e, [](const expr::Expression& part) -> expr::Expression {
    if (part->kind != expr::SyntaxKind::multiply) return nullptr;
    const expr::Expression left = written_at_once(part->args[0]), right = written_at_once(part->args[1]);
    const bool first = expr::is_indicator(left), chosen = first != expr::is_indicator(right) && !(expr::is_condition(*left) && expr::is_condition(*right));
    return chosen ? std::make_shared<const expr::Syntax>(expr::chosen_where(first ? left : right, first ? right : left, part->span)) : expr::node(part->kind, {left, right});
  });
}

/// What is printed of a claim that has a meaning says the same.
void require_round_trip(expr::Claim claim, const infer::Problem& problem) {
  expr::Claim again;
  try {
    again = read::parse_claim(expr::text(claim));
    again.axes = claim.axes;  // what functions of libraries say of names, which is not printed
    require(infer::shapes_text(infer::elaborate(again)) == infer::shapes_text(problem), "printed and parsed again, the claim is about other shapes");
  } catch (const expr::Error& e) {
    throw Finding("printed, the claim cannot be read: " + e.diagnostic().message);
  }
  expr::change_each(claim, written_at_once);
  require(expr::same(claim.lhs, again.lhs) && expr::same(claim.rhs, again.rhs) && claim.relation == again.relation, "printed and parsed again, the claim is another");
  require(expr::text(again) == expr::text(claim), "printed, parsed and printed again, the text is another");
  require(!expr::latex(claim).empty() && !expr::mathml(claim).empty(), "the claim has no notation");
}

/// Whether evaluation shows the claim to be false; asked once a claim, because mutations keep most claims.
bool is_false(const std::string& claim, const infer::Problem& problem) {
  static std::map<std::string, bool> known;
  const auto at = known.find(claim);
  return at != known.end() ? at->second : known.emplace(claim, evaluation_contradicts(problem, 1)).first->second;
}

bool same(const kernel::Certificate& a, const kernel::Certificate& b) { return a.assumptions == b.assumptions && a.goal == b.goal; }

}  // namespace

bool parse(std::string_view bytes) {
  try {
    const expr::Claim claim = read::parse_claim(bytes);
    const infer::Problem problem = infer::elaborate(claim);
    require_round_trip(claim, problem);
    const std::size_t left = problem.lhs->shape.size(), right = problem.rhs->shape.size();
    require(left == right || left == 0 || right == 0, "the sides of a typed claim have two shapes");
    return true;
  } catch (const expr::Error& e) {
    require_complaint(e, bytes);
  } catch (const expr::LimitReached&) {
  }
  return false;
}

bool claims(std::string_view bytes) {
  std::vector<record::ClaimRecord> read;
  try {
    read = record::parse_claims(std::string(bytes), "file.json");
  } catch (const expr::Error& e) {
    require_complaint(e, bytes);
    return false;
  }
  const std::string written = record::write(read);
  const auto again = record::parse_claims(written, "file.json");
  require(record::write(again) == written, "written, read and written again, the claims are others");
  for (std::size_t k = 0; k < read.size(); ++k) {
    require(read[k].text == again[k].text && read[k].id == again[k].id, "written and read again, the claim is another");
    for (const std::size_t offset : {std::size_t{0}, read[k].text.size() / 2, read[k].text.size()}) require(!record::origin(read[k], offset).empty(), "a byte without origin");
  }
  return true;
}

bool certificate(std::string_view bytes) {
  record::CertificateRecord read;
  try {
    read = record::parse_certificate(bytes, "file.json");
  } catch (const expr::Error& e) {
    require_complaint(e, bytes);
    return false;
  }
  const auto again = record::parse_certificate(record::write(read), "file.json");
  require(read.claim == again.claim && same(read.certificate, again.certificate), "written and read again, the certificate is another");
  return true;
}

bool kernel(std::string_view bytes) {
  try {
    const auto read = record::parse_certificate(bytes, "file.json");
    const infer::Problem problem = infer::elaborate(read::parse_claim(read.claim));
    const kernel::Outcome outcome = kernel::check(problem, read.certificate);
    require(outcome.accepted || !outcome.reason.empty(), "rejected without a reason");
    if (outcome.accepted && is_false(read.claim, problem)) throw Finding("accepted, and false: " + read.claim);
    return outcome.accepted;
  } catch (const expr::Error&) {
  } catch (const expr::LimitReached&) {
  }
  return false;
}

std::string mutated_certificate(std::string_view bytes, std::uint64_t seed) {
  try {
    auto read = record::parse_certificate(bytes, "file.json");
    Dice dice(seed);
    if (dice.roll(8) == 0) {
      const auto other = mistakes(read.claim);
      if (!other.empty()) read.claim = other[dice.roll(other.size())];
    }
    const std::size_t wounds = dice.roll(4);
    for (std::size_t k = 0; k < wounds; ++k) {
      kernel::Script& script = some_script(read.certificate, dice);
      mutate(script, mutations[dice.roll(std::size(mutations))], dice);
    }
    return record::write(read);
  } catch (const expr::Error&) {
    return std::string(bytes);
  }
}

}  // namespace foldproof::properties::fuzz
