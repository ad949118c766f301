// SPDX-License-Identifier: MIT
#include "run/token.hpp"

#include <charconv>
#include <limits>

#include "campaign/sides.hpp"
#include "read/parse.hpp"
#include "record/digest.hpp"
#include "run/report_json.hpp"

namespace foldproof::run {

namespace {

constexpr const char* start = "case1:";
constexpr const char* exact_prefix = "exact lane, ";
constexpr std::size_t digits = 12;

struct LaneOf {
  std::string format;
  bool exactly = false;
};

LaneOf lane_of(const std::string& lane) {
  const bool exactly = lane.rfind(exact_prefix, 0) == 0;
  return {exactly ? lane.substr(std::string(exact_prefix).size()) : lane, exactly};
}

std::string short_digest(const std::string& bytes) { return record::sha256(bytes).substr(0, digits); }

std::string input_digest(const infer::Problem& problem, const CaseToken& token) {
  const LaneOf lane = lane_of(token.lane);
  const auto& format = campaign::format_called(lane.format);
  const campaign::Sampler sampler(problem, token.seed, token.claim);
  const auto dims = sampler.sizes(token.case_index / campaign::cases_per_shape, false);
  const auto none = [&](const std::string& why) { expr::fail("token.case", "case " + std::to_string(token.case_index) + " of " + token.claim + ": " + why, {}); };
  if (!dims) none("no sizes that the assumptions allow");
  const int bits = lane.exactly ? campaign::Sides(problem, *dims, format, campaign::Mutation::none).exact_bits() : 0;
  if (lane.exactly && bits == 0) none("there is no exact lane at these sizes");
  const auto values = sampler.values(token.case_index, *dims, {&format, bits, false});
  if (!values) none("the numbers drawn do not meet the assumptions");
  std::string all;
  for (const auto& [name, size] : *dims) all += name + "=" + std::to_string(size) + "\n";
  for (const auto& [name, tensor] : *values) {
    all += name;
    for (const double v : tensor.values) all += " " + campaign::hex(v);
    all += "\n";
  }
  return short_digest(all);
}

template <class Integer>
Integer number(const std::string& field, const std::string& word) {
  Integer n = 0;
  const char* end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, n);
  if (result.ec != std::errc() || result.ptr != end || field.empty()) expr::fail("token.syntax", "`" + word.substr(0, 80) + "`: `" + field.substr(0, 30) + "` is no number", {});
  return n;
}

}  // namespace

std::string text(const CaseToken& token) {
  const LaneOf lane = lane_of(token.lane);
  return start + std::to_string(token.seed) + ":" + std::to_string(token.case_index) + ":" + (lane.exactly ? "exact-" : "") + lane.format + ":" + token.text_digest + ":" +
         token.input_digest + ":" + token.claim;
}

bool is_token(const std::string& word) { return word.rfind("case", 0) == 0 && word.find(':') != std::string::npos; }

CaseToken parse_token(const std::string& word) {
  const auto broken = [&](const std::string& why) {
    expr::fail("token.syntax", "`" + word.substr(0, 80) + "` is no case: " + why, {}, "copy the whole word that foldproof check printed, from case1: on");
  };
  if (word.rfind(start, 0) != 0) broken("this version knows words that begin with case1:");
  std::vector<std::string> fields;
  std::size_t begin = std::string(start).size();
  for (int k = 0; k < 5; ++k) {
    const std::size_t end = word.find(':', begin);
    if (end == std::string::npos) broken("it is cut off");
    fields.push_back(word.substr(begin, end - begin));
    begin = end + 1;
  }
  CaseToken token;
  token.seed = number<std::uint64_t>(fields[0], word);
  token.case_index = number<std::int64_t>(fields[1], word);
  const bool exactly = fields[2].rfind("exact-", 0) == 0;
  const std::string format = exactly ? fields[2].substr(6) : fields[2];
  bool known = false;
  for (const std::string& name : campaign::CampaignOptions{}.formats) known = known || name == format;
  if (!known) broken("there is no format `" + format.substr(0, 30) + "`");
  token.lane = (exactly ? exact_prefix : "") + format;
  token.text_digest = fields[3];
  token.input_digest = fields[4];
  token.claim = word.substr(begin);
  if (token.case_index < 0 || token.text_digest.size() != digits || token.input_digest.size() != digits || token.claim.empty()) broken("it is damaged");
  return token;
}

CaseToken token_of(const record::ClaimRecord& claim, const infer::Problem& problem, std::uint64_t seed, std::int64_t case_index, const std::string& lane) {
  CaseToken token{claim.id, short_digest(claim.text), seed, case_index, lane, ""};
  token.input_digest = input_digest(problem, token);
  return token;
}

CaseReplay replay(const CaseToken& token, const record::ClaimRecord& claim, campaign::Mutation mutation) {
  if (short_digest(claim.text) != token.text_digest)
    expr::fail("token.stale", "the claim " + token.claim + " has changed since this case was printed", {}, "check the claim as it is now, or take the old claim: --claims FILE");
  const infer::Problem problem = infer::elaborate(read::parse_claim(claim.text));
  if (input_digest(problem, token) != token.input_digest)
    expr::fail("token.stale", "this version draws other numbers for case " + std::to_string(token.case_index) + " of " + token.claim, {},
               "the smallest case in report.json and in the regressions keeps its meaning");
  const LaneOf lane = lane_of(token.lane);
  campaign::CampaignOptions how;
  how.seed = token.seed;
  how.cases = 1;
  how.first_case = token.case_index;
  how.claim = token.claim;
  how.formats = {lane.format};
  how.sixteen_bit_every = 1;
  how.rational_every = std::numeric_limits<int>::max();
  how.mutation = mutation;
  campaign::Campaign result = campaign::run(problem, how, campaign::Expectation::equal);
  const campaign::FormatResult& f = result.formats.at(0);
  const bool ran = lane.exactly ? result.exact.cases > 0 : f.within + f.suspicious + f.beyond > 0;
  if (!ran) expr::fail("token.case", "case " + std::to_string(token.case_index) + " of " + token.claim + " says nothing in the lane " + token.lane, {});
  const bool fails = lane.exactly ? result.exact.failed > 0 : f.failed > 0;
  if (!fails) return {false, lane.exactly ? "the sides agree bit for bit" : "within the bound: " + f.worst_element, std::nullopt};
  return {true, lane.exactly ? "the sides differ, where they must agree bit for bit" : "beyond the bound: " + f.worst_element, std::move(result.failure)};
}

}  // namespace foldproof::run
