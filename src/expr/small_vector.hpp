// SPDX-License-Identifier: MIT
// A vector that holds its first N elements in itself. Sizes and positions are made by the thousand and nearly all of them are a
// single symbol; with std::vector half of the time of a proof went into allocating those. Part of the trusted base.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

namespace foldproof::expr {

/// What std::vector means by these names, for elements that move without throwing.
template <class T, std::size_t N>
class SmallVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  SmallVector(std::size_t count, const T& value) {
    for (; count > 0; --count) push_back(value);
  }
  template <std::input_iterator Iterator>
  SmallVector(Iterator first, Iterator last) {
    append(first, last);
  }
  SmallVector(const SmallVector& other) { copy(other); }
  SmallVector(SmallVector&& other) noexcept { take(std::move(other)); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      copy(other);
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      clear();
      release();
      take(std::move(other));
    }
    return *this;
  }
  ~SmallVector() {
    clear();
    release();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t k) { return data_[k]; }
  const T& operator[](std::size_t k) const { return data_[k]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void clear() {
    std::destroy(begin(), end());
    size_ = 0;
  }
  void push_back(T value) {
    if (size_ == capacity_) grow(2 * capacity_);
    ::new (static_cast<void*>(data_ + size_)) T(std::move(value));
    ++size_;
  }
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }
  T* insert(const T* at, T value) {
    const std::ptrdiff_t place = at - data_;
    push_back(std::move(value));
    std::rotate(data_ + place, end() - 1, end());
    return data_ + place;
  }
  T* erase(T* at) { return erase(at, at + 1); }
  T* erase(T* first, T* last) {
    if (first == last) return first;  // or the rest would be moved onto itself
    T* const kept = std::move(last, end(), first);
    std::destroy(kept, end());
    size_ = static_cast<std::uint32_t>(kept - data_);
    return first;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend auto operator<=>(const SmallVector& a, const SmallVector& b) { return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  T* inside() { return reinterpret_cast<T*>(buffer_); }
  void grow(std::size_t larger) {
    if (larger > UINT32_MAX) throw std::length_error("a small vector is too long");
    T* moved = std::allocator<T>().allocate(larger);
    std::uninitialized_move(begin(), end(), moved);
    std::destroy(begin(), end());
    release();
    data_ = moved;
    capacity_ = static_cast<std::uint32_t>(larger);
  }
  /// The elements of another one; this one holds nothing.
  void copy(const SmallVector& other) {
    if (other.size_ > capacity_) grow(other.size_);
    std::uninitialized_copy(other.begin(), other.end(), data_);
    size_ = other.size_;
  }
  /// Gives back what was allocated; the elements are gone already.
  void release() {
    if (data_ != inside()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inside();
    capacity_ = N;
  }
  /// Takes the elements of another one; this one holds nothing.
  void take(SmallVector&& other) noexcept {
    if (other.data_ != other.inside()) {
      data_ = std::exchange(other.data_, other.inside());
      capacity_ = std::exchange(other.capacity_, N);
      size_ = std::exchange(other.size_, 0);
      return;
    }
    std::uninitialized_move(other.begin(), other.end(), data_);
    size_ = other.size_;
    other.clear();
  }

  alignas(T) std::byte buffer_[N * sizeof(T)];
  T* data_ = inside();
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
};

}  // namespace foldproof::expr
