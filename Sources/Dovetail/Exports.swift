@_exported public import DovetailContext
@_exported public import DovetailFiles
@_exported public import DovetailModel
@_exported public import DovetailREST
@_exported public import DovetailStore
@_exported public import DovetailSync
@_exported public import Foundation
