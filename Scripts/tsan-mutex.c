// Tells the thread sanitizer about contended `Synchronization.Mutex`es. Preloaded by
// `Scripts/sanitize thread`; no part of the library.
//
// On Linux the fast paths of a `Mutex` are atomics that the compiler writes into the caller, where
// the sanitizer sees them. Only when two threads meet, `_lockSlow` and `_unlockSlow` of
// libswiftSynchronization are called, which is not instrumented: the order that they make is
// unknown to the sanitizer, and what the mutex guards is reported as a race. Eight threads that
// count in a `Mutex<[Int: Int]>` give four such reports, with -Onone and with -O (Swift 6.3.1);
// guarded by an `NSLock` they give none, and with this file none either, while a counter beside the
// mutex is still reported. `Scripts/sanitize thread` runs these two programs first.
//
// No suppression: that would have to name the functions that the mutex guards, and would hide real
// races in them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// What a method of `_MutexHandle` is in Swift's calling convention: `self` by its address.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Of the sanitizer's runtime; absent in programs without it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*Unlock)(SELF void *mutex);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
