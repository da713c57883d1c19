// Preloaded into a process with LD_PRELOAD: makes each flush of a file as slow as on a slow disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_first(void) {
  const char *text = getenv("SLOW_FLUSH_MS");
  long ms = text ? atol(text) : 0;
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

int fsync(int file) {
  wait_first();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  wait_first();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
