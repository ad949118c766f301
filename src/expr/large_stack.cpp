// SPDX-License-Identifier: MIT
#include "expr/large_stack.hpp"

#include <pthread.h>

#include <exception>

#include "expr/diagnostic.hpp"

namespace foldproof::expr {
namespace {

constexpr std::size_t stack_size = std::size_t{256} << 20;  // reserved, not used, until somebody goes that deep

struct Work {
  const std::function<void()>* job;
  std::exception_ptr failure;
};

void* enter(void* argument) {
  auto& work = *static_cast<Work*>(argument);
  try {
    (*work.job)();
  } catch (...) {
    work.failure = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void on_large_stack(const std::function<void()>& job) {
  Work work{&job, nullptr};
  pthread_attr_t attributes;
  pthread_t thread{};
  bool started = pthread_attr_init(&attributes) == 0;
  started = started && pthread_attr_setstacksize(&attributes, stack_size) == 0 && pthread_create(&thread, &attributes, enter, &work) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) throw LimitReached("no thread with a stack of 256 MB could be started");
  pthread_join(thread, nullptr);
  if (work.failure) std::rethrow_exception(work.failure);
}

}  // namespace foldproof::expr
