// A file system of SQLite that fails when a test wants it to.
//
// It becomes the default one and passes everything on. Files whose paths begin with a prefix are
// the exception: of the operations on them that a test asks for, the n-th fails, alone or with all
// that come after it. There is one such order at a time.
#ifndef FAULTY_FILES_H
#define FAULTY_FILES_H

enum {
    FAULTY_OPEN = 1,
    FAULTY_WRITE = 2,
    FAULTY_SYNC = 4,
    FAULTY_TRUNCATE = 8,
    FAULTY_DELETE = 16,
    FAULTY_SHARED_MEMORY = 32,
    FAULTY_READ = 64,
    FAULTY_LOOK = 128
};

/// How a write fails.
enum { FAULTY_AS_ERROR = 0, FAULTY_AS_FULL = 1, FAULTY_AS_SHORT = 2 };

/// Makes it the default file system. The second call does nothing.
void faulty_files_register(void);

/// Orders the failure of the n-th operation of those in `operations`, counted from 1.
void faulty_files_fail(const char *prefix, unsigned operations, int n, int stays, int form);

/// Ends the failures; how many there were. The files of the prefix are still not synchronized, for
/// speed: the machine of a test does not lose power.
int faulty_files_stop(void);

#endif
