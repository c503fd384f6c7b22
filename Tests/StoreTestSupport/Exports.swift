// A test of stores has folders and servers, too.
@_exported package import PostgresTestSupport
