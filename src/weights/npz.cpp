// SPDX-License-Identifier: MIT
#include "weights/npz.hpp"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <set>

#include "weights/inflate.hpp"
#include "weights/npy.hpp"

namespace foldproof::weights {
namespace {

constexpr std::uint64_t end_record = 22, longest_comment = 65535, entry_record = 46, local_record = 30, most_members = 1'000'000;
constexpr std::uint64_t as_they_are = 0, deflated = 8;  // how a member is packed
constexpr std::uint64_t in_extra_field = 0xffffffff;  // the number is too large for its place

/// Little-endian.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

struct Directory {
  std::uint64_t at = 0, size = 0, members = 0;
};

/// The last record of the archive says where its directory is; a comment may follow it. Of large archives another record says it.
Directory directory_of(const ByteSource& source) {
  const std::uint64_t tail_size = std::min(source.size(), end_record + longest_comment);
  const std::uint64_t tail_at = source.size() - tail_size;
  const std::string tail = source.read(tail_at, tail_size);
  const std::size_t found = tail.rfind("PK\x05\x06");
  if (found == std::string::npos || tail.size() - found < end_record) source.fail("zip", source.size(), "the archive has no directory at its end", "was it copied as a whole?");
  Directory out{number(tail, found + 16, 4), number(tail, found + 12, 4), number(tail, found + 10, 2)};
  constexpr std::uint64_t locator = 20, wide_record = 56;
  if (out.at == in_extra_field || out.size == in_extra_field || out.members == 0xffff) {
    const std::uint64_t record_at = tail_at + found;
    const std::string place = record_at >= locator ? source.read(record_at - locator, locator) : "";
    if (!place.starts_with("PK\x06\x07")) source.fail("zip", record_at, "the directory of this large archive is not where it should be");
    const std::uint64_t wide_at = number(place, 8, 8);
    const std::string wide = source.read(wide_at, wide_record);
    if (!wide.starts_with("PK\x06\x06")) source.fail("zip", wide_at, "the directory of this large archive is not where it should be");
    out = {number(wide, 48, 8), number(wide, 40, 8), number(wide, 32, 8)};
  }
  if (out.at > source.size() || out.size > source.size() - out.at || out.members > most_members || out.members * entry_record > out.size) source.fail("zip", tail_at + found, "the directory of the archive lies outside of the file");
  return out;
}

/// One member as the directory describes it.
struct Member {
  std::string name;
  std::uint64_t method = 0, checksum = 0, stored = 0, size = 0, local = 0, described_at = 0;
};

/// Sizes of 4 GB and more stand in an extra field, those that are needed in this order.
void take_wide_numbers(const ByteSource& source, std::string_view extra, Member& member) {
  std::size_t at = 0;
  while (at + 4 <= extra.size()) {
    const std::size_t length = number(extra, at + 2, 2);
    const std::string_view field = extra.substr(at + 4, length);
    if (number(extra, at, 2) == 1) {
      std::size_t from = 0;
      for (std::uint64_t* value : {&member.size, &member.stored, &member.local}) {
        if (*value != in_extra_field) continue;
        if (field.size() < from + 8) source.fail("zip", member.described_at, "the sizes of " + quote(member.name) + " are incomplete");
        *value = number(field, from, 8);
        from += 8;
      }
    }
    at += 4 + length;
  }
}

Member member_at(const ByteSource& source, std::string_view directory, std::size_t& at, std::uint64_t base) {
  Member out;
  out.described_at = base + at;
  if (directory.size() - at < entry_record || directory.substr(at, 4) != "PK\x01\x02") source.fail("zip", out.described_at, "the directory of the archive breaks off here");
  const std::size_t name = number(directory, at + 28, 2), extra = number(directory, at + 30, 2), comment = number(directory, at + 32, 2);
  if (directory.size() - at - entry_record < name + extra + comment) source.fail("zip", out.described_at, "the directory of the archive breaks off here");
  out.name = directory.substr(at + entry_record, name);
  out.method = number(directory, at + 10, 2);
  out.checksum = number(directory, at + 16, 4);
  out.stored = number(directory, at + 20, 4);
  out.size = number(directory, at + 24, 4);
  out.local = number(directory, at + 42, 4);
  take_wide_numbers(source, directory.substr(at + entry_record + name, extra), out);
  at += entry_record + name + extra + comment;
  return out;
}

/// Of bytes of the file, which may be more than the memory holds.
std::uint64_t checksum_of(const ByteSource& source, std::uint64_t begin, std::uint64_t size) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 22;
  std::uint64_t checksum = 0;
  for (std::uint64_t done = 0; done < size; done += at_once) {
    const std::string bytes = source.read(begin + done, std::min(at_once, size - done));
    checksum = ::crc32(checksum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  }
  return checksum;
}

/// Where the bytes of a member begin, behind the source if they were packed.
std::uint64_t unpacked(ByteSource& source, const Member& member, std::uint64_t begin) {
  if (member.method == as_they_are && member.stored == member.size) return begin;
  if (member.method != deflated) source.fail("zip", member.described_at, "the member " + quote(member.name) + " is packed in a way that is not read here", "save it with numpy.savez or numpy.savez_compressed");
  const std::optional<std::string> bytes = inflated(source.read(begin, member.stored), member.size);
  if (!bytes || ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes->data()), bytes->size()) != member.checksum) source.fail("zip", begin, "the packed bytes of " + quote(member.name) + " are damaged", "was it copied as a whole?");
  return source.append(*bytes);
}

/// Where it begins behind its own record.
std::uint64_t begin_of(const ByteSource& source, const Member& member) {
  const std::string local = source.read(member.local, local_record);
  if (!local.starts_with(zip_magic)) source.fail("zip", member.local, "there is no member here, where the directory has " + quote(member.name));
  const std::uint64_t begin = member.local + local_record + number(local, 26, 2) + number(local, 28, 2);
  if (begin > source.size() || member.stored > source.size() - begin) source.fail("truncated", source.size(), "the file ends inside of the member " + quote(member.name));
  return begin;
}

TensorInfo tensor_of(ByteSource& source, const Member& member) {
  if (!member.name.ends_with(".npy")) source.fail("zip", member.described_at, "the member " + quote(member.name) + " is no .npy file", "an .npz file is what numpy.savez writes");
  const std::uint64_t at = unpacked(source, member, begin_of(source, member));
  return read_npy(source, at, at + member.size, member.name.substr(0, member.name.size() - 4));
}

}  // namespace

Header read_npz_header(ByteSource& source) {
  if (source.read(0, std::min<std::uint64_t>(source.size(), zip_magic.size())) != zip_magic) source.fail("magic", 0, "this is not a .npz file", "an .npz file is what numpy.savez writes");
  const Directory directory = directory_of(source);
  const std::string text = source.read(directory.at, directory.size);
  Header header;
  std::set<std::string> names;
  std::vector<Member> members;
  std::size_t at = 0;
  for (std::uint64_t k = 0; k < directory.members; ++k) {
    const Member member = member_at(source, text, at, directory.at);
    TensorInfo tensor = tensor_of(source, member);
    if (!names.insert(tensor.name).second) source.fail("duplicate", member.described_at, "the member " + quote(member.name) + " is there twice");
    header.tensors.push_back(std::move(tensor));
    members.push_back(member);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // an overlap would make two tensors change together
  for (const TensorInfo& tensor : header.tensors) ranges.emplace_back(tensor.begin, tensor.end);
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t k = 1; k < ranges.size(); ++k) {
    if (ranges[k].first < ranges[k - 1].second) source.fail("zip", ranges[k].first, "two members of the archive overlap");
  }
  for (const Member& member : members) {  // last, so that what else is wrong is said by its name; of packed ones it was asked when they were unpacked
    const std::uint64_t begin = begin_of(source, member);
    if (member.method == as_they_are && checksum_of(source, begin, member.size) != member.checksum) source.fail("zip", begin, "the bytes of " + quote(member.name) + " are damaged: their checksum is not what the archive says", "was it copied as a whole?");
  }
  return header;
}

}  // namespace foldproof::weights
