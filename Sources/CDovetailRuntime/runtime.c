// The header only declares; the package manager wants a file to compile.
#include "CDovetailRuntime.h"
