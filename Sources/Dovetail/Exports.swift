// `import Dovetail` is all that a program writes. DovetailSQL and DovetailSQLite are left out: a
// program that makes a store of its own imports them by name.
@_exported public import DovetailContext
@_exported public import DovetailFiles
@_exported public import DovetailModel
@_exported public import DovetailREST
@_exported public import DovetailStore
@_exported public import DovetailSync
@_exported public import Foundation
@_exported public import Observation
