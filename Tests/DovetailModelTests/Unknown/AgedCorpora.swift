import Dovetail

// The types of HalfCorpora.swift one version later: some of their fields have other names or stand
// in other objects. The steps are in AgedCorporaTests.swift.

enum AgedCorpus {
    enum Streams {
        @Model(version: 2, unknownFields: .preserve) struct Accept: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Add: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Application: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Article: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Block: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct CollectionPage: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Delete: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Document: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Flag: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Group: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Image: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Join: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Like: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Listen: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Move: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Object: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct OrderedCollection: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Organization: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Person: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Profile: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Read: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Relationship: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Service: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct TentativeReject: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Travel: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct Update: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(version: 2, unknownFields: .preserve) struct View: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(typeName: "gsp:Geometry", version: 2, unknownFields: .preserve)
        struct GspGeometry: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(typeName: "http://example.org/Organization", version: 2, unknownFields: .preserve)
        struct HttpExampleOrgOrganization: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(typeName: "http://example.org/Role", version: 2, unknownFields: .preserve)
        struct HttpExampleOrgRole: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
        @Model(
            typeName: "http://www.types.example/flightstatus",
            version: 2,
            unknownFields: .preserve
        )
        struct HttpWwwTypesExampleFlightstatus: AgedStream {
            var type: ModelDocument; var thing: (any AgedStream)?; var items: (any AgedStream)?
        }
    }
    enum Geo {
        @Model(version: 2, unknownFields: .preserve) struct Feature: AgedGeo {
            var shape: any AgedGeo
        }
        @Model(version: 2, unknownFields: .preserve) struct FeatureCollection: AgedGeo {
            @Attribute(name: "content.features") var features: [any AgedGeo]
        }
        @Model(version: 2, unknownFields: .preserve) struct GeometryCollection: AgedGeo {
            var geometries: [any AgedGeo]
        }
        @Model(version: 2, unknownFields: .preserve) struct Point: AgedGeo {
            var at: [ModelDocument]
        }
        @Model(version: 2, unknownFields: .preserve) struct Polygon: AgedGeo {}
    }
    enum Hooks {
        @Model(typeName: "branch_protection_rule", version: 2, unknownFields: .preserve)
        struct BranchProtectionRule: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "check_suite", version: 2, unknownFields: .preserve)
        struct CheckSuite: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "commit_comment", version: 2, unknownFields: .preserve)
        struct CommitComment: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "delete", version: 2, unknownFields: .preserve) struct Delete: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "deploy_key", version: 2, unknownFields: .preserve)
        struct DeployKey: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "deployment_review", version: 2, unknownFields: .preserve)
        struct DeploymentReview: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "discussion", version: 2, unknownFields: .preserve)
        struct Discussion: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "fork", version: 2, unknownFields: .preserve) struct Fork: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "gollum", version: 2, unknownFields: .preserve) struct Gollum: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "installation_repositories", version: 2, unknownFields: .preserve)
        struct InstallationRepositories: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "issues", version: 2, unknownFields: .preserve) struct Issues: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "marketplace_purchase", version: 2, unknownFields: .preserve)
        struct MarketplacePurchase: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "membership", version: 2, unknownFields: .preserve)
        struct Membership: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "meta", version: 2, unknownFields: .preserve) struct Meta: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "org_block", version: 2, unknownFields: .preserve)
        struct OrgBlock: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "package", version: 2, unknownFields: .preserve) struct Package: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "ping", version: 2, unknownFields: .preserve) struct Ping: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "project_card", version: 2, unknownFields: .preserve)
        struct ProjectCard: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "projects_v2_item", version: 2, unknownFields: .preserve)
        struct ProjectsV2Item: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "pull_request", version: 2, unknownFields: .preserve)
        struct PullRequest: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "pull_request_review_comment", version: 2, unknownFields: .preserve)
        struct PullRequestReviewComment: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "push", version: 2, unknownFields: .preserve) struct Push: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "release", version: 2, unknownFields: .preserve) struct Release: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "repository_dispatch", version: 2, unknownFields: .preserve)
        struct RepositoryDispatch: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "repository_vulnerability_alert", version: 2, unknownFields: .preserve)
        struct RepositoryVulnerabilityAlert: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "security_advisory", version: 2, unknownFields: .preserve)
        struct SecurityAdvisory: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "star", version: 2, unknownFields: .preserve) struct Star: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "team", version: 2, unknownFields: .preserve) struct Team: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "watch", version: 2, unknownFields: .preserve) struct Watch: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
        @Model(typeName: "workflow_job", version: 2, unknownFields: .preserve)
        struct WorkflowJob: AgedHook {
            @Attribute(name: "event.action") var action: String?
        }
    }
}
