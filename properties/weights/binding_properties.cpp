// SPDX-License-Identifier: MIT
// Bindings: steps mean what NumPy means by them, names are found as written, every refusal points at its place.
#include <rapidcheck.h>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <optional>

#include "expr/diagnostic.hpp"
#include "weights/binding.hpp"
#include "weights/safetensors_file.hpp"

namespace foldproof::properties {
namespace {

using weights::BoundTensor;
using weights::Range;
using weights::Sizes;
using weights::TensorFile;
using Values = std::vector<double>;

TensorFile model(const std::string& name = "m.safetensors") {
  return TensorFile::from_bytes(name, safetensors({counting("w", {2, 3}),
                                                   counting("w.T", {4}),
                                                   counting("layers.1.wq.weight", {2, 2, 2}),
                                                   counting("layers.10.wq.weight", {5}),
                                                   counting("text_encoder:0:up", {3, 1}),
                                                   counting("<s1>", {3}),
                                                   counting("odd name [0]", {2}),
                                                   counting("scalar", {}),
                                                   counting("v", {6}),
                                                   {"count", "I64", {1}, std::string(8, 'x')}}));
}

BoundTensor bound(const std::string& right) { return weights::bind("X=" + right, {model()}); }

struct Refused {
  std::string code;
  std::string place;  ///< the text that the span covers
  std::string hint;
  std::string message;
};

Refused refused(const std::string& binding, const std::vector<TensorFile>& files) {
  try {
    weights::bind(binding, files);
  } catch (const expr::Error& error) {
    const expr::Diagnostic& d = error.diagnostic();
    BOOST_TEST(d.span.begin <= binding.size());
    return {d.code, binding.substr(std::min(d.span.begin, binding.size()), d.span.end - d.span.begin), d.hint, d.message};
  }
  return {"accepted", "", "", ""};
}

Refused refused(const std::string& binding) { return refused(binding, {model()}); }

// NumPy's rule for slices in its slowest form: walk, and keep what is inside.
Sizes walk(std::int64_t size, std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step) {
  Sizes out;
  std::int64_t at = start ? (*start < 0 ? *start + size : *start) : (step > 0 ? 0 : size - 1);
  const std::int64_t end = stop ? (*stop < 0 ? *stop + size : *stop) : (step > 0 ? size : -1);
  if (step > 0) at = std::max<std::int64_t>(at, 0);
  if (step < 0) at = std::min(at, size - 1);
  for (; step > 0 ? at < end && at < size : at > end && at >= 0; at += step) out.push_back(at);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_mean_what_numpy_means) {
  struct Case {
    const char* right;
    Sizes shape;
    Values values;
  };
  for (const Case& c : {Case{"w", {2, 3}, {0, 1, 2, 3, 4, 5}},
                        Case{"\"w\".T", {3, 2}, {0, 3, 1, 4, 2, 5}},
                        Case{"w.transpose()", {3, 2}, {0, 3, 1, 4, 2, 5}},
                        Case{"w.transpose(-1, 0)", {3, 2}, {0, 3, 1, 4, 2, 5}},
                        Case{"w[1]", {3}, {3, 4, 5}},
                        Case{"w[1,]", {3}, {3, 4, 5}},
                        Case{"w[-2, 2]", {}, {2}},
                        Case{"w[:, 1:]", {2, 2}, {1, 2, 4, 5}},
                        Case{" w [ 0:1 , : ] ", {1, 3}, {0, 1, 2}},
                        Case{"w[:, ::-1]", {2, 3}, {2, 1, 0, 5, 4, 3}},
                        Case{"w[:, 0::2][1:]", {1, 2}, {3, 5}},
                        Case{"w[:, :-1].T", {2, 2}, {0, 3, 1, 4}},
                        Case{"w[0:100]", {2, 3}, {0, 1, 2, 3, 4, 5}},
                        Case{"w.reshape(3, 2)", {3, 2}, {0, 1, 2, 3, 4, 5}},
                        Case{"\"w\".T.reshape(-1)", {6}, {0, 3, 1, 4, 2, 5}},
                        Case{"v[None, :]", {1, 6}, {0, 1, 2, 3, 4, 5}},
                        Case{"v[:2, None]", {2, 1}, {0, 1}},
                        Case{"v[np.newaxis]", {1, 6}, {0, 1, 2, 3, 4, 5}},
                        Case{"v.reshape(3, 1, 2).transpose(2, 0, 1)[1]", {3, 1}, {1, 3, 5}},
                        Case{"scalar", {}, {0}},
                        Case{"scalar[None, None]", {1, 1}, {0}},
                        Case{"layers.1.wq.weight[1].T", {2, 2}, {4, 6, 5, 7}}}) {
    const BoundTensor tensor = bound(c.right);
    BOOST_TEST(tensor.shape == c.shape, c.right);
    BOOST_TEST(tensor.values == c.values, c.right);
    BOOST_TEST(tensor.variable == "X");
  }
}

BOOST_AUTO_TEST_CASE(slices_keep_what_a_walk_over_the_axis_keeps) {
  BOOST_TEST(rc::check("slice", [] {
    const auto size = *rc::gen::inRange<std::int64_t>(0, 6);
    const auto bound_at = [] { return *rc::gen::maybe(rc::gen::inRange<std::int64_t>(-9, 10)); };
    const auto start = bound_at();
    const auto stop = bound_at();
    const auto step = *rc::gen::suchThat(rc::gen::inRange<std::int64_t>(-3, 4), [](std::int64_t s) { return s != 0; });
    const auto plain = [](const rc::Maybe<std::int64_t>& m) { return m ? std::optional<std::int64_t>(*m) : std::nullopt; };
    const Range range = weights::clamp_slice(size, plain(start), plain(stop), step);
    Sizes kept;
    for (std::int64_t i = 0; i < range.count; ++i) kept.push_back(range.first + i * range.step);
    // Python clamps a start or stop that stays negative after adding the size; the walk sees it as "before the first element".
    const auto low = [&](std::optional<std::int64_t> at) { return at && *at < -size ? std::optional<std::int64_t>(-size - 1) : at; };
    RC_ASSERT(kept == walk(size, low(plain(start)), low(plain(stop)), step));
  }));
}

BOOST_AUTO_TEST_CASE(the_longest_name_that_a_step_can_follow_is_taken) {
  BOOST_TEST(bound("w.T").shape == Sizes{4});  // a tensor of that name wins over the step
  BOOST_TEST(bound("layers.10.wq.weight").shape == Sizes{5});
  BOOST_TEST(bound("text_encoder:0:up.T").shape == (Sizes{1, 3}));
  BOOST_TEST(bound("<s1>[1:]").values == (Values{1, 2}));
  BOOST_TEST(bound("odd name [0]").shape == Sizes{2});
  BOOST_TEST(bound("\"odd name [0]\"[1]").values == Values{1});
  BOOST_TEST(bound("layers.1.wq.weight[0, 0]").source == "m.safetensors::layers.1.wq.weight[0, 0]");
}

BOOST_AUTO_TEST_CASE(files_of_one_name_are_told_apart_by_their_folders) {
  const std::vector<TensorFile> files = {model("/x/base/m.safetensors"), model("/x/merged/m.safetensors"), model("/y/merged/m.safetensors"), model("/x/other.safetensors")};
  const Refused doubt = refused("X=m.safetensors::v", files);
  BOOST_TEST(doubt.code == "weights.ambiguous");
  BOOST_TEST(doubt.place == "m.safetensors");
  BOOST_TEST(doubt.hint == "write base/m.safetensors::, x/merged/m.safetensors:: or y/merged/m.safetensors::");
  BOOST_TEST(refused("X=merged/m.safetensors::v", files).code == "weights.ambiguous");
  BOOST_TEST(refused("X=v[0:1]", files).hint == "write base/m.safetensors::v, x/merged/m.safetensors::v, y/merged/m.safetensors::v or other.safetensors::v; FOLDER:: before a name stands for all files in a folder");
  for (const std::string name : {"base/m.safetensors", "x/merged/m.safetensors", "y/merged/m.safetensors", "other.safetensors"}) {
    BOOST_TEST(weights::bind("X=" + name + "::v[1:]", files).source == name + "::v[1:]");
    BOOST_TEST(weights::bind("X=/" + std::string(name[0] == 'b' || name[0] == 'o' ? "x/" : "") + name + "::v", files).source == name + "::v");
  }
  BOOST_TEST(refused("X=erged/m.safetensors::v", files).code == "weights.unknown_file");  // a part of a name is no name
}

BOOST_AUTO_TEST_CASE(a_file_is_named_when_several_have_the_tensor) {
  const std::vector<TensorFile> files = {model("a.safetensors"), model("b.safetensors")};
  BOOST_TEST(refused("X=v", files).code == "weights.ambiguous");
  BOOST_TEST(weights::bind("X=b.safetensors::v[1:]", files).source == "b.safetensors::v[1:]");
  BOOST_TEST(weights::bind("X = a.safetensors::\"v\"", files).source == "a.safetensors::v");
  const Refused unknown = refused("X=c.safetensors::v", files);
  BOOST_TEST(unknown.code == "weights.unknown_file");
  BOOST_TEST(unknown.place == "c.safetensors");
  BOOST_TEST(refused("X=v", {}).code == "weights.no_files");
}

BOOST_AUTO_TEST_CASE(an_unknown_tensor_is_answered_with_the_three_nearest) {
  const Refused r = refused("W=layers.2.wq.weight.T[0:1]");
  BOOST_TEST(r.code == "weights.unknown_tensor");
  BOOST_TEST(r.place == "layers.2.wq.weight");
  BOOST_TEST(r.hint == "did you mean `layers.1.wq.weight`, `layers.10.wq.weight` or `w.T`?");
  BOOST_TEST(refused("W=weird").place == "weird");  // `w` is a tensor, but no step begins with "eird"
  BOOST_TEST(refused("W=\"nothing\"").place == "nothing");
  BOOST_TEST(refused("W=").code == "weights.unknown_tensor");
}

BOOST_AUTO_TEST_CASE(every_refusal_points_at_its_place) {
  struct Case {
    const char* binding;
    const char* code;
    const char* place;
  };
  for (const Case& c : {Case{"", "weights.binding_syntax", ""},
                        Case{"1X=v", "weights.binding_syntax", "1"},
                        Case{"X v", "weights.binding_syntax", "v"},
                        Case{"X=\"v", "weights.binding_syntax", "\""},
                        Case{"X=v.T.U", "weights.binding_syntax", "."},
                        Case{"X=v[0", "weights.binding_syntax", ""},
                        Case{"X=v[]", "weights.binding_syntax", "]"},
                        Case{"X=v[a]", "weights.binding_syntax", "a"},
                        Case{"X=v[-]", "weights.binding_syntax", "]"},
                        Case{"X=v[99999999999999999999]", "weights.binding_syntax", "9"},
                        Case{"X=v.reshape 3", "weights.binding_syntax", "3"},
                        Case{"X=v.reshape(3 2)", "weights.binding_syntax", "2"},
                        Case{"X=v.reshape(x)", "weights.binding_syntax", "x"},
                        Case{"X=v.T.reshape(4, 2)", "weights.shape", ".reshape(4, 2)"},
                        Case{"X=v.reshape(-1, -1)", "weights.shape", ".reshape(-1, -1)"},
                        Case{"X=v.reshape(4, -1)", "weights.shape", ".reshape(4, -1)"},
                        Case{"X=v.reshape(0, -1)", "weights.shape", ".reshape(0, -1)"},
                        Case{"X=v.reshape(4611686018427387904, 4611686018427387904)", "weights.shape", ".reshape(4611686018427387904, 4611686018427387904)"},
                        Case{"X=w.transpose(0)", "weights.shape", ".transpose(0)"},
                        Case{"X=w.transpose(0, 0)", "weights.shape", ".transpose(0, 0)"},
                        Case{"X=w.transpose(0, 2)", "weights.shape", ".transpose(0, 2)"},
                        Case{"X=w.transpose(0, -3)", "weights.shape", ".transpose(0, -3)"},
                        Case{"X=w[0, 0, 0]", "weights.shape", "0"},
                        Case{"X=w[0, 3]", "weights.index", "3"},
                        Case{"X=w[-3]", "weights.index", "-3"},
                        Case{"X=w[::0]", "weights.index", "::0"},
                        Case{"X=v[3:3]", "weights.empty", "[3:3]"},
                        Case{"X=v[7:].T", "weights.empty", "[7:].T"},
                        Case{"X=count", "weights.dtype", "count"}}) {
    const Refused r = refused(c.binding);
    BOOST_TEST(r.code == c.code, c.binding << ": " << r.code);
    BOOST_TEST(r.place == c.place, c.binding << ": at \"" << r.place << "\"");
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_refused_with_their_bits) {
  const std::string bytes = float32_bytes({0, 1, 2, 3, -std::numeric_limits<float>::infinity(), 5});
  const TensorFile file =
      TensorFile::from_bytes("m.safetensors", safetensors({{"w", "F32", {2, 3}, bytes}, {"h", "F16", {2}, std::string("\x00\x3c\x01\x7e", 4)}}));
  const Refused infinite = refused("X=w[1]", {file});
  BOOST_TEST(infinite.code == "weights.nonfinite");
  BOOST_TEST(infinite.message == "m.safetensors: tensor `w` holds an infinity at [1, 1] (bits 0xff800000, float32)");
  BOOST_TEST(weights::bind("X=w[0]", {file}).values == (std::vector<double>{0, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(weights::bind("X=w", {file}, true).nonfinite->message == infinite.message);
  BOOST_TEST(refused("X=h", {file}).message == "m.safetensors: tensor `h` holds NaN at [1] (bits 0x7e01, float16)");
}

BOOST_AUTO_TEST_CASE(random_text_never_crashes_a_binding) {
  const std::vector<TensorFile> files = {model()};
  BOOST_TEST(rc::check("bind", [&files] {
    std::string text = "X=";
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("w", "v", "\"w\"", ".T", ".transpose", ".reshape", "(", ")", "[", "]", ":", "::", ",", "0", "-1", "2", "3", "6", "None",
                                      " ", "4611686018427387904", "-4611686018427387904", "\xff", "\""));
    for (const std::string& piece : pieces) text += piece;
    refused(text, files);
  }));
}

}  // namespace foldproof::properties
