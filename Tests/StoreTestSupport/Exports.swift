// A test of stores has folders and servers, too.
@_exported public import PostgresTestSupport
