import Dovetail

// What issues and pull requests hold, all fields that the corpus has in one kind.
// The fields have the names of the documents, so that `JSONDecoder` is given no keys to rename.

@Model
struct Issue: Codable {
    var url: String
    var repository_url: String
    var labels_url: String
    var comments_url: String
    var events_url: String
    var html_url: String
    var id: Int
    var node_id: String
    var number: Int
    var title: String
    var user: Account
    var labels: [IssueLabel]?
    var state: String?
    var locked: Bool?
    var assignee: Account?
    var assignees: [Account]
    var milestone: Milestone?
    var comments: Int
    var created_at: Date
    var updated_at: Date
    var closed_at: Date?
    var author_association: String
    var active_lock_reason: String?
    var body: String?
    var reactions: Reactions
    var draft: Bool
    var timeline_url: String?
}

@Model
struct PullRequest: Codable {
    var url: String
    var id: Int
    var node_id: String
    var html_url: String
    var diff_url: String
    var patch_url: String
    var issue_url: String
    var number: Int
    var state: String
    var locked: Bool
    var title: String
    var user: Account
    var body: String?
    var created_at: Date
    var updated_at: Date
    var closed_at: Date?
    var merge_commit_sha: String?
    var assignee: Account?
    var assignees: [Account]
    var requested_reviewers: [Account]
    var labels: [IssueLabel]
    var milestone: Milestone?
    var commits_url: String
    var review_comments_url: String
    var review_comment_url: String
    var comments_url: String
    var statuses_url: String
    var head: Branch
    var base: Branch
    var author_association: String
    var active_lock_reason: String?
    var draft: Bool?
    var merged: Bool?
    var mergeable: Bool?
    var rebaseable: Bool?
    var mergeable_state: String?
    var merged_by: Account?
    var comments: Int?
    var review_comments: Int?
    var maintainer_can_modify: Bool?
    var commits: Int?
    var additions: Int?
    var deletions: Int?
    var changed_files: Int?
}

@Model
struct Branch: Codable {
    var label: String
    var ref: String
    var sha: String
    var user: Account
    var repo: Repository
}

@Model
struct IssueLabel: Codable {
    var id: Int
    var node_id: String
    var url: String
    var name: String
    var color: String
    var `default`: Bool
    var description: String
}

@Model
struct Milestone: Codable {
    var url: String
    var html_url: String
    var labels_url: String
    var id: Int
    var node_id: String
    var number: Int
    var title: String
    var description: String
    var creator: Account
    var open_issues: Int
    var closed_issues: Int
    var state: String
    var created_at: Date
    var updated_at: Date
    var due_on: Date
    var closed_at: Date?
}

@Model
struct Reactions: Codable {
    var url: String
    var total_count: Int
    var laugh: Int
    var hooray: Int
    var confused: Int
    var heart: Int
    var rocket: Int
    var eyes: Int
}

@Model
struct Comment: Codable {
    var url: String?
    var html_url: String
    var id: Int
    var node_id: String
    var user: Account
    var position: Int?
    var line: Int?
    var path: String?
    var commit_id: String?
    var created_at: Date
    var updated_at: Date
    var author_association: String
    var body: String
    var child_comment_count: Int?
    var repository_url: String?
    var discussion_id: Int?
    var issue_url: String?
    var pull_request_review_id: Int?
    var diff_hunk: String?
    var original_position: Int?
    var original_commit_id: String?
    var pull_request_url: String?
    var original_line: Int?
    var side: String?
}
