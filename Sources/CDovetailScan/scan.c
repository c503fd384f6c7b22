// All of it is inline; the package manager wants a file to compile.
#include "CDovetailScan.h"
