#include <sqlite3.h>

/* `sqlite3_db_config` takes variable arguments, which Swift cannot pass. Without this, a name in
 * quotation marks that is no column is taken for a text (https://sqlite.org/quirks.html#dblquote). */
static inline int dovetail_sqlite_refuse_quoted_texts(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    if (result != SQLITE_OK) { return result; }
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
