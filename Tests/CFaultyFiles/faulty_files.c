#include "faulty_files.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

// A file of the prefix: ours, and behind it in memory that of the system.
typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} File;

static struct {
    pthread_mutex_t lock;
    char prefix[512];
    unsigned operations;
    int left;
    int stays;
    int form;
    int failures;
} plan = {.lock = PTHREAD_MUTEX_INITIALIZER};

static sqlite3_vfs shim;
static sqlite3_vfs *real_vfs;

static int is_meant(const char *path) {
    if (!path) { return 0; }
    pthread_mutex_lock(&plan.lock);
    int answer = plan.prefix[0] && strncmp(path, plan.prefix, strlen(plan.prefix)) == 0;
    pthread_mutex_unlock(&plan.lock);
    return answer;
}

// Counts an operation; whether it has to fail.
static int fails(unsigned operation) {
    pthread_mutex_lock(&plan.lock);
    int answer = 0;
    if (plan.operations & operation) {
        if (plan.left > 0) { plan.left -= 1; }
        if (plan.left == 0) {
            answer = 1;
            plan.failures += 1;
            plan.left = plan.stays ? 0 : -1;
        }
    }
    pthread_mutex_unlock(&plan.lock);
    return answer;
}

static sqlite3_file *real_of(sqlite3_file *file) { return ((File *)file)->real; }

static int close_file(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails(FAULTY_READ)) { return SQLITE_IOERR_READ; }
    return real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (fails(FAULTY_WRITE)) {
        if (plan.form == FAULTY_AS_FULL) { return SQLITE_FULL; }
        if (plan.form == FAULTY_AS_SHORT && count > 1) {
            real_of(file)->pMethods->xWrite(real_of(file), bytes, count / 2, offset);
        }
        return SQLITE_IOERR_WRITE;
    }
    return real_of(file)->pMethods->xWrite(real_of(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(FAULTY_TRUNCATE)) { return SQLITE_IOERR_TRUNCATE; }
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
    return fails(FAULTY_SYNC) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_reserved(sqlite3_file *file, int *answer) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), answer);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int sector_size(sqlite3_file *file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int characteristics(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int map_memory(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    if (fails(FAULTY_SHARED_MEMORY)) { return SQLITE_IOERR_SHMMAP; }
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}

static int lock_memory(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void memory_barrier(sqlite3_file *file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int unmap_memory(sqlite3_file *file, int deletes) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), deletes);
}

// Version 2 has shared memory, which WAL mode needs, and no memory mapped files, which are not used.
static const sqlite3_io_methods methods = {
    2,           close_file,    read_file,       write_file,   truncate_file, sync_file,
    file_size,   lock_file,     unlock_file,     check_reserved, control_file, sector_size,
    characteristics, map_memory, lock_memory,    memory_barrier, unmap_memory,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
    // Files of other tests are those of the system, without a step through here.
    if (!is_meant(path)) { return real_vfs->xOpen(real_vfs, path, file, flags, out); }
    File *ours = (File *)file;
    ours->base.pMethods = NULL;
    if (fails(FAULTY_OPEN)) { return SQLITE_CANTOPEN; }
    ours->real = (sqlite3_file *)(ours + 1);
    int code = real_vfs->xOpen(real_vfs, path, ours->real, flags, out);
    if (ours->real->pMethods) { ours->base.pMethods = &methods; }
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs) {
    if (is_meant(path) && fails(FAULTY_DELETE)) { return SQLITE_IOERR_DELETE; }
    return real_vfs->xDelete(real_vfs, path, syncs);
}

static int look_for_file(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
    if (is_meant(path) && fails(FAULTY_LOOK)) { return SQLITE_IOERR_ACCESS; }
    return real_vfs->xAccess(real_vfs, path, flags, answer);
}

static void register_once(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    shim = *real_vfs;
    shim.zName = "dovetail-faulty";
    shim.pNext = NULL;
    shim.szOsFile += (int)sizeof(File);
    shim.xOpen = open_file;
    shim.xDelete = delete_file;
    shim.xAccess = look_for_file;
    sqlite3_vfs_register(&shim, 1);
}

void faulty_files_register(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
}

void faulty_files_fail(const char *prefix, unsigned operations, int n, int stays, int form) {
    pthread_mutex_lock(&plan.lock);
    strncpy(plan.prefix, prefix, sizeof plan.prefix - 1);
    plan.operations = operations;
    plan.left = n;
    plan.stays = stays;
    plan.form = form;
    plan.failures = 0;
    pthread_mutex_unlock(&plan.lock);
}

int faulty_files_stop(void) {
    pthread_mutex_lock(&plan.lock);
    plan.operations = 0;
    int failures = plan.failures;
    pthread_mutex_unlock(&plan.lock);
    return failures;
}
