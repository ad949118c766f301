// SPDX-License-Identifier: MIT
// Files of tensors: what is written comes back bit for bit, what is broken is refused for its own reason, no bytes crash the reader.
#include <rapidcheck.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "expr/diagnostic.hpp"
#include "numeric/half.hpp"
#include "weights/safetensors_file.hpp"
#include "weights/tensor_file.hpp"

namespace foldproof::properties {
namespace {

using weights::Format;
using weights::Sizes;
using weights::Tensor;
using weights::TensorFile;
using weights::TensorInfo;

// The code of the refusal, and that its place lies in the file; "accepted" when there is none.
std::string refusal(const std::string& name, const std::string& bytes) {
  try {
    const TensorFile file = TensorFile::from_bytes(name, bytes);
    for (const TensorInfo& tensor : file.tensors()) file.read(tensor);
    return "accepted";
  } catch (const expr::Error& error) {
    const expr::Diagnostic& d = error.diagnostic();
    const std::string place = name + ": byte " + std::to_string(d.span.begin) + ": ";
    BOOST_TEST(d.message.substr(0, place.size()) == place);
    BOOST_TEST(d.span.begin <= bytes.size());
    return d.code;
  }
}

struct Broken {
  const char* what;
  const char* code;
  std::string bytes;
};

std::vector<Broken> broken_safetensors() {
  const StoredTensor a{"a", "F32", {2, 3}, std::string(24, '\0')};
  const std::string data(24, '\0');
  const std::string good = "{" + describe(a, 0, 24) + "}";
  const auto with = [&](const std::string& header) { return safetensors(header, data); };
  const auto field = [&](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return with("{\"a\":{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}");
  };
  const StoredTensor half{"b", "F32", {3}, std::string(12, '\0')};
  const StoredTensor other{"c", "F32", {3}, std::string(12, '\0')};
  return {
      {"an empty file", "weights.truncated", ""},
      {"seven bytes", "weights.truncated", std::string(7, '\0')},
      {"a header longer than the file", "weights.truncated", little_endian(1000, 8) + good},
      {"a header above the cap", "weights.header_size", little_endian(100'000'001, 8) + good},
      {"the largest length", "weights.header_size", std::string(8, '\xff') + good},
      {"a zip file", "weights.header_size", "PK\x03\x04" + std::string(40, 'x')},
      {"an empty header", "weights.header_syntax", little_endian(0, 8)},
      {"a header that starts with a blank", "weights.header_syntax", with(" " + good)},
      {"a header that is a list", "weights.header_syntax", with("[]")},
      {"a header that stops early", "weights.header_syntax", with(good.substr(0, good.size() - 1))},
      {"two headers", "weights.header_syntax", with(good + good)},
      {"invalid UTF-8", "weights.header_syntax", with("{\"\xff\":{}}")},
      {"100000 open braces", "weights.header_syntax", with("{\"a\":{\"dtype\":" + std::string(100'000, '{'))},
      {"100000 open brackets", "weights.header_syntax", with("{\"a\":{\"shape\":" + std::string(100'000, '['))},
      {"a tensor that is a number", "weights.header_syntax", with("{\"a\":1}")},
      {"a tensor that is text", "weights.header_syntax", with("{\"a\":\"x\"}")},
      {"null metadata", "weights.header_syntax", with("{\"__metadata__\":null," + good.substr(1))},
      {"metadata that is not text", "weights.header_syntax", with("{\"__metadata__\":{\"a\":1}," + good.substr(1))},
      {"a list in the metadata", "weights.header_syntax", with("{\"__metadata__\":{\"a\":[]}," + good.substr(1))},
      {"a tensor twice", "weights.duplicate", with("{" + describe(a, 0, 24) + "," + describe(a, 0, 24) + "}")},
      {"a key twice", "weights.duplicate", with("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24]}}")},
      {"an unknown key", "weights.key", with("{\"a\":{\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24],\"strides\":[1]}}")},
      {"a missing key", "weights.key", with("{\"a\":{\"dtype\":\"F32\",\"shape\":[6]}}")},
      {"an unknown dtype, when used", "weights.dtype", field("\"F31\"", "[6]", "[0,24]")},
      {"bytes of six-bit numbers, when used", "weights.dtype", field("\"F6_E2M3\"", "[24]", "[0,24]")},
      {"an unknown dtype that holds nothing", "weights.offsets", with("{\"a\":{\"dtype\":\"F31\",\"shape\":[6],\"data_offsets\":[0,0]},\"b\":{\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24]}}")},
      {"an unknown dtype without elements that holds something", "weights.offsets", field("\"F31\"", "[0]", "[0,24]")},
      {"an unknown dtype with a gap", "weights.offsets", field("\"F31\"", "[6]", "[0,20]")},
      {"a dtype that is a number", "weights.header_syntax", field("4", "[6]", "[0,24]")},
      {"a negative size", "weights.header_syntax", field("\"F32\"", "[-6]", "[0,24]")},
      {"a fractional size", "weights.header_syntax", field("\"F32\"", "[6.0]", "[0,24]")},
      {"a size that is true", "weights.header_syntax", field("\"F32\"", "[true]", "[0,24]")},
      {"a list in a shape", "weights.header_syntax", field("\"F32\"", "[[6]]", "[0,24]")},
      {"a size of 64 bits", "weights.shape", field("\"F32\"", "[18446744073709551615]", "[0,24]")},
      {"a product beyond 63 bits", "weights.shape", field("\"F32\"", "[4611686018427387904,4]", "[0,24]")},
      {"bytes beyond 63 bits", "weights.shape", field("\"F32\"", "[4611686018427387904]", "[0,24]")},
      {"65 axes", "weights.shape",
       field(
           "\"F32\"",
           "[1" +
               [] {
                 std::string s;
                 for (int i = 0; i < 64; ++i) s += ",1";
                 return s;
               }() +
               "]",
           "[0,24]")},
      {"offsets of the wrong length", "weights.offsets", field("\"F32\"", "[5]", "[0,24]")},
      {"offsets backwards", "weights.offsets", field("\"F32\"", "[6]", "[24,0]")},
      {"one offset", "weights.offsets", field("\"F32\"", "[6]", "[24]")},
      {"three offsets", "weights.offsets", field("\"F32\"", "[6]", "[0,24,24]")},
      {"an overlap", "weights.offsets", safetensors("{" + describe(half, 0, 12) + "," + describe(other, 8, 20) + "}", std::string(20, '\0'))},
      {"a dtype that is an object", "weights.header_syntax", field("{}", "[6]", "[0,24]")},
      {"a gap", "weights.offsets", safetensors("{" + describe(half, 4, 16) + "}", std::string(16, '\0'))},
      {"bytes after the last tensor", "weights.offsets", safetensors(good, data + "x")},
      {"values cut off", "weights.truncated", safetensors(good, data.substr(1))},
  };
}

std::vector<Broken> broken_npy() {
  const std::string data(24, '\0');
  const auto with = [&](const std::string& descr, const std::string& order, const std::string& shape) {
    return npy("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n", data);
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  return {
      {"an empty file", "weights.magic", ""},
      {"another magic", "weights.magic", "\x93NUMPX" + std::string(20, '\0')},
      {"only the magic", "weights.truncated", "\x93NUMPY"},
      {"version 0", "weights.version", npy(good, data, 0)},
      {"version 4", "weights.version", npy(good, data, 4)},
      {"a header longer than the file", "weights.truncated", std::string("\x93NUMPY\x01") + std::string(1, '\0') + "\xff\x00"},
      {"a huge header", "weights.header_size", std::string("\x93NUMPY\x02") + std::string(1, '\0') + "\xff\xff\xff\xff"},
      {"not a dictionary", "weights.header_syntax", npy("[]", data)},
      {"a header that stops early", "weights.header_syntax", npy(good.substr(0, 30), data)},
      {"an open quote", "weights.header_syntax", npy("{'descr", data)},
      {"more after the dictionary", "weights.header_syntax", npy(good + "{}", data)},
      {"a key twice", "weights.duplicate", npy("{'descr': '<f4', 'descr': '<f4'}", data)},
      {"an unknown key", "weights.key", npy("{'strides': (1,)}", data)},
      {"a missing key", "weights.key", npy("{'descr': '<f4', 'shape': (2, 3)}", data)},
      {"big-endian values", "weights.dtype", with("'>f4'", "False", "(2, 3)")},
      {"complex numbers", "weights.dtype", with("'<c8'", "False", "(2, 3)")},
      {"Python objects", "weights.dtype", with("'|O'", "False", "(2, 3)")},
      {"records", "weights.dtype", with("[('a', '<f4')]", "False", "(2, 3)")},
      {"an order that is a number", "weights.header_syntax", with("'<f4'", "0", "(2, 3)")},
      {"a negative size", "weights.header_syntax", with("'<f4'", "False", "(-2, 3)")},
      {"a huge size", "weights.shape", with("'<f4'", "False", "(99999999999999999999,)")},
      {"a huge product", "weights.shape", with("'<f4'", "False", "(4611686018427387904, 4)")},
      {"values cut off", "weights.truncated", npy(good, data.substr(1))},
      {"values too long", "weights.offsets", npy(good, data + "x")},
  };
}

// At full size: RapidCheck's small sizes would make every range collapse to its lower end, and every tensor empty.
Sizes draw_shape() {
  Sizes shape;
  for (int rank = *rc::gen::resize(100, rc::gen::inRange(0, 4)); rank-- > 0;) {
    shape.push_back(
        *rc::gen::resize(100, rc::gen::weightedOneOf<std::int64_t>({{12, rc::gen::inRange<std::int64_t>(1, 5)}, {1, rc::gen::just<std::int64_t>(0)}})));
  }
  return shape;
}

StoredTensor draw_tensor(int index) {
  struct Kind {
    const char* dtype;
    int width;
  };
  const Kind kind = *rc::gen::element(Kind{"F64", 8}, Kind{"F32", 4}, Kind{"F16", 2}, Kind{"BF16", 2});
  const Sizes shape = draw_shape();
  const auto count = static_cast<std::size_t>(*weights::element_count(shape)) * static_cast<std::size_t>(kind.width);
  const auto bytes = *rc::gen::container<std::string>(count, rc::gen::arbitrary<char>());
  return {"t." + std::to_string(index), kind.dtype, shape, bytes};
}

bool has_same_bits(double a, double b) { return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

BOOST_AUTO_TEST_CASE(an_unknown_dtype_leaves_the_other_tensors_readable) {
  const TensorFile file = TensorFile::from_bytes("m.safetensors", safetensors({counting("a", {2}), {"mx", "F6_E2M3", {8}, std::string(6, 'x')}, counting("b", {3})}));
  BOOST_TEST(file.read(*file.find("b")).values == (std::vector<double>{0, 1, 2}), boost::test_tools::per_element());
  BOOST_CHECK_THROW(file.read(*file.find("mx")), expr::Error);
}

BOOST_AUTO_TEST_CASE(integers_are_read_as_they_are_in_the_narrowest_format_that_holds_them) {
  const auto bytes = [](std::initializer_list<unsigned> values) { return std::string(values.begin(), values.end()); };
  const TensorFile file = TensorFile::from_bytes("m.safetensors", safetensors({{"i8", "I8", {3}, bytes({0x80, 0xff, 0x7f})}, {"u8", "U8", {2}, bytes({0, 0xff})}, {"i16", "I16", {2}, bytes({0xff, 0x7f, 0, 0x80})},
                                                                               {"i32", "I32", {2}, bytes({1, 2, 3, 4, 0xfe, 0xff, 0xff, 0xff})}, {"u16", "U16", {1}, bytes({1, 4})}, {"huge", "U64", {1}, std::string(8, '\xff')}}));
  const auto holds = [&](const char* name, const std::vector<double>& values, Format format) {
    const auto tensor = file.read(*file.find(name));
    BOOST_TEST(tensor.values == values, boost::test_tools::per_element());
    BOOST_TEST((tensor.format == format), name);
  };
  holds("i8", {-128, -1, 127}, Format::bfloat16);
  holds("u8", {0, 255}, Format::bfloat16);
  holds("u16", {1025}, Format::float16);
  holds("i16", {32767, -32768}, Format::float32);
  holds("i32", {0x04030201, -2}, Format::float64);
  BOOST_CHECK_THROW(file.read(*file.find("huge")), expr::Error);
}

BOOST_AUTO_TEST_CASE(every_broken_safetensors_file_is_refused_for_its_own_reason) {
  for (const Broken& broken : broken_safetensors())
    BOOST_TEST(refusal("m.safetensors", broken.bytes) == broken.code, broken.what << ": " << refusal("m.safetensors", broken.bytes));
}

BOOST_AUTO_TEST_CASE(every_broken_npy_file_is_refused_for_its_own_reason) {
  for (const Broken& broken : broken_npy()) BOOST_TEST(refusal("m.npy", broken.bytes) == broken.code, broken.what << ": " << refusal("m.npy", broken.bytes));
}

BOOST_AUTO_TEST_CASE(a_missing_file_a_folder_and_a_device_are_refused) {
  for (const char* path : {"/nowhere/at/all.safetensors", FOLDPROOF_SOURCE_DIR, "/dev/zero"}) {
    BOOST_CHECK_EXCEPTION(TensorFile::open(path), expr::Error, [](const expr::Error& e) { return e.diagnostic().code == "weights.open"; });
  }
}

BOOST_AUTO_TEST_CASE(empty_tensors_scalars_metadata_and_padding_are_accepted) {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"}," + describe({"e", "F32", {0, 4611686018427387904, 4}, ""}, 0, 0) + "," +
                             describe({"s", "F32", {}, ""}, 0, 4) + "," + describe({"i", "I64", {1}, ""}, 4, 12) + "}   ";
  const TensorFile file = TensorFile::from_bytes("m.safetensors", safetensors(header, float32_bytes({2.5F}) + std::string(8, '\0')));
  BOOST_TEST(file.tensors().size() == 3U);
  BOOST_TEST(file.metadata().at(0).second == "pt");
  BOOST_TEST(file.read(*file.find("e")).values.empty());
  BOOST_TEST(file.read(*file.find("s")).values.at(0) == 2.5);
  BOOST_TEST(file.read(*file.find("s")).shape.empty());
  BOOST_TEST((file.find("t") == nullptr));
}

BOOST_AUTO_TEST_CASE(random_tensors_come_back_bit_for_bit) {
  BOOST_TEST(rc::check("written and read", [] {
    std::vector<StoredTensor> stored;
    const int count = *rc::gen::inRange(0, 5);
    for (int i = 0; i < count; ++i) stored.push_back(draw_tensor(i));
    const TensorFile file = TensorFile::from_bytes("m.safetensors", safetensors(stored));
    RC_ASSERT(file.tensors().size() == stored.size());
    for (std::size_t t = 0; t < stored.size(); ++t) {
      const TensorInfo& info = file.tensors()[t];
      const Tensor tensor = file.read(info);
      RC_ASSERT(info.name == stored[t].name && tensor.shape == stored[t].shape);
      const auto width = *weights::bits_per_value(info.dtype) / 8;
      std::string bytes;
      for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        const std::uint64_t bits = file.bits(info, static_cast<std::int64_t>(i));
        bytes += little_endian(bits, width);
        RC_ASSERT(has_same_bits(tensor.values[i], weights::decode(tensor.format, bits)));
      }
      RC_ASSERT(bytes == stored[t].bytes);
    }
  }));
}

BOOST_AUTO_TEST_CASE(npy_files_come_back_in_both_orders_and_all_versions) {
  BOOST_TEST(rc::check("written and read", [] {
    const Sizes shape = draw_shape();
    const bool fortran = *rc::gen::arbitrary<bool>();
    const StoredTensor tensor = counting("x", shape);
    std::string tuple;
    for (const std::int64_t size : shape) tuple += std::to_string(size) + ",";
    const std::string header = std::string("{'descr': '<f4', 'fortran_order': ") + (fortran ? "True" : "False") + ", 'shape': (" + tuple + "), }";
    const TensorFile file = TensorFile::from_bytes("folder_x.npy", npy(header + "   \n", tensor.bytes, *rc::gen::inRange(1, 4)));
    const TensorInfo& info = file.tensors().at(0);
    RC_ASSERT(info.name == "folder_x");
    const Tensor read = file.read(info);
    RC_ASSERT(read.shape == shape);
    const auto count = static_cast<std::int64_t>(read.values.size());
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t stored = i;  // in Fortran order the value at C position i was written at the position with the axes reversed
      if (fortran) {
        stored = 0;
        std::int64_t rest = i;
        Sizes index(shape.size());
        for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) index[axis] = rest % shape[axis];
        for (std::size_t axis = shape.size(); axis-- > 0;) stored = stored * shape[axis] + index[axis];
      }
      RC_ASSERT(read.values[static_cast<std::size_t>(i)] == static_cast<double>(stored));
      RC_ASSERT(weights::decode(read.format, file.bits(info, i)) == static_cast<double>(stored));
    }
  }));
}

BOOST_AUTO_TEST_CASE(ten_thousand_mutants_of_valid_files_never_crash) {
  const std::string first = safetensors({counting("a.weight", {2, 3}), {"b", "BF16", {2}, "abcd"}, {"c", "F16", {}, "ab"}, {"d", "F64", {0, 2}, ""}});
  const std::string second = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n", counting("x", {2, 3}).bytes);
  BOOST_TEST(refusal("m.safetensors", first) == "accepted");
  BOOST_TEST(refusal("m.npy", second) == "accepted");
  std::uint64_t state = 1;  // a plain generator: mutants need to be many, not shrinkable
  const auto draw = [&state](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state >> 33) % below);
  };
  int refused = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string bytes = i % 2 == 0 ? first : second;
    for (std::size_t edits = 1 + draw(3); edits-- > 0 && !bytes.empty();) {
      const std::size_t at = draw(bytes.size());
      switch (draw(5)) {
        case 0:
          bytes.resize(at);
          break;
        case 1:
          bytes.insert(at, 1, static_cast<char>(draw(256)));
          break;
        case 2:
          bytes.erase(at, 1 + draw(4));
          break;
        case 3:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw(8)));
          break;
        default:
          bytes[at] = "0129{}[]()\",:'-"[draw(15)];
          break;
      }
    }
    refused += refusal(i % 2 == 0 ? "m.safetensors" : "m.npy", bytes) == "accepted" ? 0 : 1;
  }
  BOOST_TEST(refused > 5'000);  // otherwise the mutants are too tame to mean anything
  BOOST_TEST(refused < 10'000);
}

BOOST_AUTO_TEST_CASE(all_16_bit_patterns_decode_as_the_numeric_formats_do) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<float>(numeric::Float16::from_bits(static_cast<std::uint16_t>(bits)));
    const auto brain = static_cast<float>(numeric::BFloat16::from_bits(static_cast<std::uint16_t>(bits)));
    if (!has_same_bits(weights::decode(Format::float16, bits), half)) BOOST_ERROR("float16 " << bits);
    if (!has_same_bits(weights::decode(Format::bfloat16, bits), brain)) BOOST_ERROR("bfloat16 " << bits);
  }
  BOOST_TEST(weights::decode(Format::float16, 0x0001) == 0x1p-24);
  BOOST_TEST(weights::decode(Format::float16, 0x7bff) == 65504.0);
  BOOST_TEST(weights::decode(Format::float16, 0xfc00) == -std::numeric_limits<double>::infinity());
}

// Real models lie beside the source tree on some machines only; where they are missing, the framework reports the skip.
const std::filesystem::path models = std::filesystem::path(FOLDPROOF_SOURCE_DIR) / ".." / "shared" / "models";

boost::test_tools::assertion_result has_models(boost::unit_test::test_unit_id) {
  if (std::filesystem::is_directory(models)) return true;
  BOOST_TEST_MESSAGE("skipped: real_models_have_the_tensors_that_their_descriptions_count (no folder ../shared/models)");
  boost::test_tools::assertion_result missing(false);
  missing.message() << "no folder ../shared/models";
  return missing;
}

BOOST_AUTO_TEST_CASE(real_models_have_the_tensors_that_their_descriptions_count, *boost::unit_test::precondition(has_models)) {
  struct Model {
    const char* file;
    std::size_t tensors;
    std::size_t values;
  };
  for (const Model& model : {Model{"stories260k/model.safetensors", 47, 260032}, Model{"bert-tiny-sst2/model.safetensors", 23, 132992},
                             Model{"gpt-nano-sort/model.safetensors", 44, 86091}, Model{"lora-disney-sd15/lora_disney.safetensors", 386, 386880},
                             Model{"lora-microgpt-names/model.safetensors", 13, 4320}, Model{"microadder-203p/model.safetensors", 23, 206}}) {
    const TensorFile file = TensorFile::open(models / model.file);
    std::size_t values = 0;
    for (const TensorInfo& tensor : file.tensors()) {
      for (const double value : file.read(tensor).values) values += std::isfinite(value) ? 1 : 0;
    }
    BOOST_TEST(file.tensors().size() == model.tensors, model.file);
    BOOST_TEST(values == model.values, model.file);
  }
}

}  // namespace foldproof::properties
