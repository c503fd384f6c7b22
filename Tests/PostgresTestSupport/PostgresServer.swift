/// A server that belongs to the tests.
package struct PostgresServer {}
