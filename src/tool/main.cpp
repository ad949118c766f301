// SPDX-License-Identifier: MIT
// foldproof: reads the command line and hands over to one file per command.
// Exit status: 0 as expected, 1 a verdict differs or a test failed, 2 bad usage or input, 3 undecided or nothing compared, 130 interrupted.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <new>

#include "expr/diagnostic.hpp"
#include "expr/nearest.hpp"
#include "tool/command.hpp"
#include "tool/command_line.hpp"
#include "tool/input.hpp"

namespace {

namespace tool = foldproof::tool;

struct Arguments {
  tool::DecideArguments decide;
  tool::CheckArguments check;
  tool::WeightsArguments weights;
  tool::MergeArguments merge;
  tool::CostArguments cost;
  tool::VectorArguments vectors;
  tool::ReplayArguments replay;
  tool::ExplainArguments explain;
  tool::CompareArguments compare;
  tool::ReproArguments repro;
  std::string shell;
  bool json = false;
};

constexpr const char* introduction =
    "foldproof: proves or refutes rewrites of attention, and tests them as programs\n"
    "\n"
    "  foldproof decide -e '(X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)'   is it an identity?\n"
    "  foldproof check                                              decide and test every claim, write reports/\n"
    "\n";

/// CLI11 reads -1 as the largest seed, and a longer number too.
const CLI::Validator is_seed(
    [](const std::string& text) {
      std::uint64_t seed = 0;
      const char* end = text.data() + text.size();
      const auto read = std::from_chars(text.data(), end, seed);
      return read.ptr == end && read.ec == std::errc() ? std::string() : text + " is not a whole number from 0 to 18446744073709551615";
    },
    "");

void add_decide(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("decide", "Verdicts: proved with a certificate, refuted with a smallest counterexample, or undecided");
  command->add_option("FILE", a.decide.files, "Claims as JSON or text (several between lines of ---), a folder of them, an id of fixtures/claims, or a claim itself; - is standard input");
  command->add_option("-e,--expression", a.decide.texts, "A claim as text")->take_all()->allow_extra_args(false);
  command->add_flag("--json", a.decide.json, "One JSON document on standard output");
  command->add_flag("--hazards", a.decide.hazards, "Show where floating point goes wrong on one side of what is proved");
  command->add_option("--certificates", a.decide.certificates, "Write a certificate for each proof into this folder");
  command->add_option("--seed", a.decide.seed, "Seed of the search for counterexamples")->capture_default_str()->check(is_seed);
  command->add_option("--threads", a.decide.threads, "Threads; 0 is one a processor")->check(CLI::Range(0, 4096));
}

void add_given(CLI::App& command, tool::GivenArguments& given) {
  command.add_option("--weights", given.weights, tool::weights_help)->take_all()->allow_extra_args(false);
  command.add_option("--bind", given.bindings, tool::bind_help)->take_all()->allow_extra_args(false);
  command.add_option("--dim", given.dims, tool::given_dim_help)->take_all()->allow_extra_args(false);
}

void add_check(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("check", "Decides and tests every claim and writes report.json, report.md and junit.xml");
  command->add_option("PATH", a.check.paths, "Claim files or folders; default fixtures/claims");
  command->add_option("--out", a.check.out, "Folder of the reports")->capture_default_str();
  command->add_option("--seed", a.check.seed, "Seed of everything random")->capture_default_str()->check(is_seed);
  command->add_option("--cases", a.check.cases, "Random cases a claim and format")->capture_default_str()->check(CLI::Range(0, 100000000));
  command->add_option("--threads", a.check.threads, "Threads; 0 is one a processor")->check(CLI::Range(0, 4096));
  command->add_option("--shard", a.check.shard, "i/N: only every N-th claim, counted from the i-th");
  command->add_flag("--resume", a.check.resume, "Continue the interrupted run whose checkpoint is in the folder of the reports");
  add_given(*command, a.check.given);
  command->add_option("--benchmark", a.check.benchmark, "What foldproof-bench --out wrote, to be shown in the report");
  command->add_option("--format", a.check.formats, "A further report: gradescope writes results.json for autograders")->take_all()->allow_extra_args(false)->check(CLI::IsMember({"gradescope"}));
  command->add_option("--observations", a.check.observations, "File for one line of JSON a test case, in the schema of Hypothesis observations");
  command->add_option("--regressions", a.check.regressions, "File of past failures: replayed first, new ones are added; default fixtures/regressions.json without PATH");
}

void add_weights(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("weights", "Is a difference between stored tensors rounding or a bug? One word: equal, rounding, bug or unclear");
  command->add_option("QUESTION", a.weights.question, "check: does the claim hold on these tensors, up to rounding? diagnose: and if not, with which single mistake does it? fold: computes an expression and stores it. list: which tensors are there?")
      ->required()
      ->check(CLI::IsMember({"check", "diagnose", "fold", "list"}));
  command->add_option("FILE", a.weights.files, "Claims as JSON or text (several between lines of ---); - is standard input. list: files of tensors");
  command->add_option("-e,--expression", a.weights.texts, "A claim as text, for example 'g.T * W == M'; variables that are not bound are random. fold: an expression, 'g.T * W'")->take_all()->allow_extra_args(false);
  add_given(*command, a.weights.given);
  command->add_option("--name", a.weights.name, "fold: the name of the tensor that is written");
  command->add_option("--out", a.weights.out, "fold: the .safetensors file, which must not be there yet");
  command->add_option("--format", a.weights.format, "fold: the format that is written; the narrowest that holds the bound tensors unless given")->check(CLI::IsMember({"float64", "float32", "bfloat16", "float16"}));
  command->add_flag("--force", a.weights.force, "fold: the file may be there, and is replaced");
  command->add_option("--seed", a.weights.seed, "Seed of everything random")->capture_default_str()->check(is_seed);
  command->add_flag("--json", a.weights.json, "One JSON document on standard output");
  command->footer(tool::weights_footer);
}

void add_merge(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("merge", "Puts the reports of all shards of one run together");
  command->add_option("REPORT", a.merge.reports, "report.json of each shard")->required();
  command->add_option("--out", a.merge.out, "Folder of the merged reports")->required();
  command->add_flag("--partial", a.merge.partial, "Shards may be missing: merge them later");
}

void add_explain(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("explain", "The card of a claim: answer, evidence, when it stops being true, cost, source; or the answer to a question");
  command->add_option("ID", a.explain.ids, "Id of a claim in fixtures/claims or of a question in fixtures/questions.json, or a claim itself");
  command->add_option("-e,--expression", a.explain.texts, "A claim as text")->take_all()->allow_extra_args(false);
  command->add_option("--claims", a.explain.claims, "Claim files or folders to look ids up in")->take_all()->allow_extra_args(false);
  command->add_option("--dim", a.explain.dims, "NAME=NUMBER, for example d_model=512");
  CLI::Option* markdown = command->add_flag("--markdown", a.explain.markdown, "For a forum or an issue, formulas between dollar signs");
  command->add_flag("--html", a.explain.html, "One self-contained page")->excludes(markdown);
}

void add_others(CLI::App& app, Arguments& a) {
  CLI::App* cost = app.add_subcommand("cost", "Parameters, multiply-adds, bytes and activations of both sides, and from where on folding pays");
  cost->add_option("FILE", a.cost.files, "Claims as JSON or text, a folder of them, an id of fixtures/claims, or a claim itself");
  cost->add_option("-e,--expression", a.cost.texts, "A claim as text")->take_all()->allow_extra_args(false);
  cost->add_option("--dim", a.cost.dims, "NAME=NUMBER, for example d_model=512");
  cost->add_option("--data", a.cost.data, "A variable that is data and no parameter; default X, or the first variable");
  cost->add_flag("--measure", a.cost.measure, "Measure both sides as float32 programs at the given sizes");
  cost->add_flag("--json", a.cost.json, "One JSON document on standard output");
  CLI::App* compare = app.add_subcommand("compare", "What changed between two reports: exit status 0 the same, 1 different");
  compare->add_option("BEFORE", a.compare.before, "report.json of the earlier run")->required();
  compare->add_option("AFTER", a.compare.after, "report.json of the later run")->required();
  CLI::Option* as_json = compare->add_flag("--json", a.compare.json, "One JSON document on standard output");
  compare->add_flag("--markdown", a.compare.markdown, "For a job summary, under 1 MB")->excludes(as_json);
  CLI::App* repro = app.add_subcommand("repro", "Runs the command of a report again and compares: exit status 0 the same, 1 different");
  repro->add_option("REPORT", a.repro.report, "report.json")->required();
  repro->add_option("--out", a.repro.out, "Folder of the new reports; default: nowhere");
  repro->add_option("--threads", a.repro.threads, "Threads; 0 is one a processor")->check(CLI::Range(0, 4096));
  CLI::App* operators = app.add_subcommand("operators", "The functions of the claim language with their definitions");
  operators->add_flag("--json", a.json, "One JSON document on standard output");
  CLI::App* replay = app.add_subcommand("replay", "Replays a certificate, vectors, past failures, a claim, or one case of a campaign");
  replay->add_option("WHAT", a.replay.words, "Files, or cases as `foldproof check` prints them: case1:...")->required();
  replay->add_option("--claims", a.replay.claims, "Where the claims of cases are; default fixtures/claims");
  CLI::App* vectors = app.add_subcommand("vectors", "Golden vectors: inputs and expected values of claims, for other implementations");
  vectors->add_option("CLAIM_ID", a.vectors.ids, "Claims; default those that DIR has vectors of");
  vectors->add_option("--out", a.vectors.out, "Folder of the vectors")->required();
  vectors->add_option("--claims", a.vectors.claims, "Where the claims are; default fixtures/claims");
  vectors->add_option("--seed", a.vectors.seed, "Seed of the inputs")->capture_default_str()->check(is_seed);
  vectors->add_flag("--replace-golden-values", a.vectors.replace, "Replace files whose values differ");
  app.add_subcommand("completion", "A completion script on standard output")->add_option("SHELL", a.shell, "bash, zsh or fish")->required();
  app.add_subcommand("man", "The manual page on standard output");
}

/// The arguments of a command line that was written by foldproof check. Errors: `usage`.
tool::CheckArguments parsed_check(const std::vector<std::string>& command) {
  Arguments arguments;
  CLI::App app;
  add_check(app, arguments);
  std::vector<std::string> words(command.rbegin(), command.rend() - 1);  // CLI11 takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::ParseError& e) {
    foldproof::expr::fail("usage", std::string("the command of the report cannot be read: ") + e.what(), {});
  }
  arguments.check.command = command;
  return arguments.check;
}

tool::CommandInfo described(const CLI::App& app) {
  tool::CommandInfo out{app.get_name(), app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    tool::OptionInfo info;
    info.positional = option->get_positional();
    if (info.positional) {
      info.names = {option->get_name(true)};
    } else {
      for (const std::string& name : option->get_snames()) info.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) info.names.push_back("--" + name);
    }
    info.takes_value = option->get_items_expected_max() > 0;
    info.required = option->get_required();
    info.value = option->get_type_name();
    info.help = option->get_description();
    info.fallback = option->get_default_str();
    out.options.push_back(std::move(info));
  }
  return out;
}

tool::CommandLine described_whole(const CLI::App& app) {
  tool::CommandLine out{described(app), {}};
  for (const CLI::App* command : app.get_subcommands(nullptr)) out.commands.push_back(described(*command));
  return out;
}

std::vector<std::string> commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

int introduce(const CLI::App& app) {
  std::string names;
  for (const std::string& name : commands(app)) names += (names.empty() ? "" : ", ") + name;
  std::cout << introduction << "Commands: " << names << ". `foldproof COMMAND --help` tells more.\n";
  return tool::exit_ok;
}

int print(const std::string& text) {
  std::cout << text;
  return tool::exit_ok;
}

int dispatch(const CLI::App& app, Arguments& a) {
  if (app.got_subcommand("decide")) return tool::decide(a.decide);
  if (app.got_subcommand("check")) return tool::check(a.check);
  if (app.got_subcommand("weights")) return tool::weights(a.weights);
  if (app.got_subcommand("merge")) return tool::merge(a.merge);
  if (app.got_subcommand("explain")) return tool::explain(a.explain);
  if (app.got_subcommand("cost")) return tool::cost(a.cost);
  if (app.got_subcommand("compare")) return tool::compare(a.compare);
  if (app.got_subcommand("repro")) return tool::repro(a.repro, parsed_check);
  if (app.got_subcommand("operators")) return tool::operators(a.json);
  if (app.got_subcommand("replay")) return tool::replay(a.replay);
  if (app.got_subcommand("vectors")) return tool::vectors(a.vectors);
  if (app.got_subcommand("completion")) return print(tool::completion(described_whole(app), a.shell));
  if (app.got_subcommand("man")) return print(tool::manual(described_whole(app), FOLDPROOF_VERSION));
  return introduce(app);
}

int unknown_command(const std::vector<std::string>& known, const std::string& word) {
  const std::string hint = foldproof::expr::did_you_mean(word, known, 1);
  std::cerr << "foldproof: there is no command `" << word.substr(0, 40) << "`\n" << (hint.empty() ? "" : "  hint: " + hint + "\n");
  return tool::exit_bad_input;
}

/// The option that is nearest to one that the command does not have.
void hint_option(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (words.empty() || command->get_name() != words[0]) continue;
    for (const tool::OptionInfo& option : described(*command).options) {
      if (!option.positional) known.insert(known.end(), option.names.begin(), option.names.end());
    }
  }
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (word.rfind("--", 0) != 0 || std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = foldproof::expr::did_you_mean(name, known, 1);
    if (!hint.empty()) std::cerr << "  hint: " << hint << "\n";
    return;
  }
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Proves or refutes rewrites of attention, and tests them as programs.\nExit status: 0 as expected, 1 something differs, 2 bad usage or input, 3 "
      "undecided, 130 interrupted.");
  if (argc > 0) app.name(argv[0]);
  app.set_version_flag("--version", std::string("foldproof ") + FOLDPROOF_VERSION);
  app.require_subcommand(0, 1);
  add_decide(app, arguments);
  add_check(app, arguments);
  add_weights(app, arguments);
  add_merge(app, arguments);
  add_explain(app, arguments);
  add_others(app, arguments);
  arguments.check.command.assign(argv, argv + argc);
  const std::vector<std::string> known = commands(app);
  const std::string first = argc > 1 ? argv[1] : "-";
  if (first.rfind('-', 0) != 0 && std::find(known.begin(), known.end(), first) == known.end()) return unknown_command(known, first);
  try {
    std::vector<std::string> words = tool::one_value_each({argv + std::min(argc, 1), argv + argc});
    static constexpr std::string_view takes_claims[] = {"decide", "explain", "cost", "weights"};
    if (std::find(std::begin(takes_claims), std::end(takes_claims), first) != std::end(takes_claims)) words = tool::negated_claims_as_options(words);
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::ParseError& e) {
    // CLI11 has codes of its own for bad usage; help and version are no errors.
    const int status = app.exit(e) == 0 ? tool::exit_ok : tool::exit_bad_input;
    if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) hint_option(app, {argv + std::min(argc, 1), argv + argc});
    return status;
  }
  return dispatch(app, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    std::cout.flush();
    if (std::cout) return status;
    std::cerr << "foldproof: standard output could not be written\n";
    return tool::exit_bad_input;
  } catch (const foldproof::expr::Error& e) {
    tool::complain(e);
    return tool::exit_bad_input;
  } catch (const foldproof::expr::LimitReached& e) {
    tool::complain(e);
    return tool::exit_undecided;
  } catch (const std::bad_alloc&) {
    std::cerr << "foldproof: there is not enough memory\n  hint: bind slices of large tensors, such as W=w[0:64, 0:64], or use fewer --threads\n";
    return tool::exit_bad_input;
  } catch (const std::exception& e) {
    std::cerr << "foldproof: internal error: " << e.what() << "\nThis is a bug in foldproof; please report it with the claim.\n";
    return tool::exit_internal;
  }
}
