import Dovetail
import DovetailTesting
import Foundation
import Testing

/// Documents in the shapes of the reference for developers: read, and written back equal.
struct DiscordTests {
    /// Reads a document as a type, and expects that it is written equal in JSON and through both
    /// property lists.
    private func sees<Value: ModelValue>(_ text: String, as type: Value.Type) throws -> Value {
        let value = try Value(decoding: Data(text.utf8), as: .json)
        let document = try ModelDocument(decoding: Data(text.utf8), as: .json)
        #expect(try ModelDocument(decoding: value.encoded(as: .json), as: .json) == document)
        for format in [ModelFormat.plist, .binaryPlist] {
            let again = try Value(decoding: value.encoded(as: format), as: format)
            #expect(
                try again.encoded(as: .json) == value.encoded(as: .json),
                "\(format.name): \(text)"
            )
        }
        return value
    }

    private func seesAll<Value>(
        _ texts: [String],
        by coding: (any ProtocolCoding.Type),
        read: (Data) throws -> Value,
        write: (Value) throws -> Data
    ) throws {
        for text in texts {
            let written = try write(read(Data(text.utf8)))
            #expect(
                try ModelDocument(decoding: written, as: .json)
                    == ModelDocument(decoding: Data(text.utf8), as: .json),
                "\(String(decoding: written, as: UTF8.self))"
            )
        }
    }

    static let user =
        #"{"id":"80351110224678912","username":"nelly","discriminator":"0","global_name":null,"#
        + #""avatar":"8342729096ea3675442027381ff50dfe","banner":null,"accent_color":16711680,"#
        + #""bot":true,"premium_type":2,"avatar_decoration_data":{"asset":"a_1","sku_id":"5"},"#
        + #""collectibles":null,"primary_guild":{"identity_guild_id":"7","identity_enabled":true,"#
        + #""tag":"DISC","badge":null},"something_new":[1,2]}"#

    @Test
    func `a user tells null from absent, field by field`() throws {
        let user = try sees(Self.user, as: Discord.User.self)
        #expect(user.banner == .some(nil) && user.email == .none && user.globalName == nil)
        #expect(user.collectibles == .some(nil))
        #expect(user.unknownFields["something_new"] != nil)
        try checkModel(user, changes: 2_000)
    }

    @Test
    func `a tag that is null means yes`() throws {
        let text =
            #"{"id":"1","name":"new","color":3447003,"hoist":true,"position":1,"#
            + #""permissions":"66321471","managed":false,"mentionable":false,"#
            + #""tags":{"bot_id":"9","premium_subscriber":null},"flags":1}"#
        let role = try sees(text, as: Discord.Role.self)
        #expect(role.tags?.premiumSubscriber == .null && role.tags?.guildConnections == nil)
        #expect(role.permissions.contains(.sendMessages))
        try checkModel(role, changes: 2_000)
    }

    @Test
    func `channels are told by a number, and one shape goes by several`() throws {
        let place =
            #""position":6,"permission_overwrites":[{"id":"3","type":0,"allow":"0","deny":"1024"}],"#
            + #""name":"general","parent_id":null"#
        let texts = [
            #"{"id":"41","type":0,"guild_id":"2","#
                + place + #","topic":null,"nsfw":true,"last_message_id":"155"}"#,
            #"{"id":"42","type":5,"#
                + place + #","default_auto_archive_duration":60}"#,
            #"{"id":"43","type":1,"last_message_id":null,"recipients":["# + Self.user + "]}",
            #"{"id":"44","type":13,"# + place
                + #","bitrate":64000,"user_limit":0,"rtc_region":null}"#,
            #"{"id":"45","type":4,"# + place + "}",
            #"{"id":"46","type":12,"guild_id":"2","parent_id":"41","owner_id":"9","name":"new","#
                + #""last_message_id":null,"message_count":1,"member_count":5,"#
                + #""thread_metadata":{"archived":false,"auto_archive_duration":1440,"#
                + #""archive_timestamp":"2021-04-12T23:40:39.855793+00:00","locked":false,"#
                + #""create_timestamp":null}}"#,
            #"{"id":"47","type":15,"# + place
                + #","available_tags":[{"id":"1","name":"bug","moderated":false,"emoji_id":null,"#
                + #""emoji_name":"x"}],"default_reaction_emoji":null,"default_sort_order":null}"#,
            #"{"id":"48","type":99,"is_new":true}"#,
        ]
        try seesAll(
            texts,
            by: Discord.ChannelModel.self,
            read: { try Discord.ChannelModel.decode($0, as: .json) },
            write: { try Discord.ChannelModel.encode($0, as: .json) }
        )
        let read = try texts.map { try Discord.ChannelModel.decode(Data($0.utf8), as: .json) }
        #expect((read[1] as? Discord.TextChannel)?.place.name == "general")
        #expect(read[7] is Discord.UnknownChannel && read[7].id == "48")
    }

    static let message =
        #"{"id":"334385199974967042","type":0,"channel_id":"290926798999357250","author":"# + user
        + #","content":"Supa Hot","timestamp":"2017-07-11T17:27:07.299000+00:00","#
        + #""edited_timestamp":null,"tts":false,"mention_everyone":false,"mentions":[],"#
        + #""mention_roles":[],"attachments":[{"id":"1","filename":"a.ogg","size":12,"#
        + #""url":"https://x.example/a","proxy_url":"https://p.example/a","duration_secs":2.50,"#
        + #""width":null}],"embeds":[{"title":"t","timestamp":"2020-01-01T10:00:00+02:00","#
        + #""footer":{"text":"f","icon_url":"https://x.example/i"},"#
        + #""fields":[{"name":"n","value":"v","inline":true}]}],"#
        + #""reactions":[{"count":1,"count_details":{"burst":0,"normal":1},"me":false,"#
        + #""me_burst":false,"emoji":{"id":null,"name":"🔥"},"burst_colors":[]}],"#
        + #""nonce":7,"pinned":false,"referenced_message":null,"#
        + #""interaction_metadata":{"type":2,"id":"5","user":"# + user
        + #","authorizing_integration_owners":{"0":"2"}},"#
        + #""components":[{"type":1,"components":[{"type":2,"custom_id":"yes","label":"Accept","#
        + #""style":1},{"type":3,"custom_id":"c","options":[{"label":"A","value":"a","#
        + #""emoji":{"id":"6","name":"r"},"default":true}],"min_values":1},"#
        + #"{"type":7,"custom_id":"m","default_values":[{"id":"2","type":"user"}]}]},"#
        + #"{"type":17,"accent_color":null,"components":[{"type":9,"components":[{"type":10,"#
        + #""content":"text"}],"accessory":{"type":11,"media":{"url":"attachment://a"}}},"#
        + #"{"type":12,"items":[{"media":{"url":"u"},"description":null}]},{"type":14,"spacing":1},"#
        + #"{"type":77,"future":[1]}]}],"#
        + #""poll":{"question":{"text":"?"},"answers":[{"answer_id":1,"poll_media":{"text":"a"}}],"#
        + #""expiry":null,"allow_multiselect":false,"layout_type":1,"#
        + #""results":{"is_finalized":true,"answer_counts":[{"id":1,"count":2,"me_voted":true}]}}}"#

    @Test
    func `a message has parts of many kinds, and a null that is no absence`() throws {
        let message = try sees(Self.message, as: Discord.Message.self)
        #expect(message.referencedMessage == .deleted && message.nonce == .number(7))
        #expect(message.attachments[0].durationSecs?.description == "2.50")
        #expect(message.attachments[0].width == .some(nil))
        #expect(message.embeds[0].timestamp?.offset == 7200)
        let row = try #require(message.components?[0] as? Discord.ActionRow)
        #expect((row.components[1] as? Discord.StringSelect)?.menu.minValues == 1)
        let inner = Self.message.replacing(
            #""referenced_message":null"#,
            with: #""referenced_message":"# + Self.message
        )
        let answer = try sees(inner, as: Discord.Message.self)
        guard case .message(let referenced) = answer.referencedMessage else {
            Issue.record("no message")
            return
        }
        #expect(referenced.content == "Supa Hot")
    }

    @Test
    func `interactions share a head, in any order of fields`() throws {
        let head =
            #""id":"1","application_id":"2","token":"t","version":1,"app_permissions":"442368","#
            + #""authorizing_integration_owners":{"0":"2"},"context":0"#
        let texts = [
            #"{"type":1,"# + head + "}",
            #"{"data":{"id":"771","name":"cardsearch","type":1,"options":[{"type":3,"#
                + #""name":"cardname","value":"The Gitrog Monster"},{"name":"n","type":10,"#
                + #""value":1.5},{"name":"b","type":5,"value":true}],"resolved":{"members":{"9":"#
                + #"{"roles":["5"],"joined_at":"2020-01-19T08:16:15+00:00","permissions":"8"}}}},"#
                + head + #","type":2,"guild_locale":"en-US"}"#,
            #"{"type":3,"# + head + #","message":"# + Self.message
                + #","data":{"custom_id":"c","component_type":3,"values":["a"]}}"#,
            #"{"type":5,"# + head
                + #","data":{"custom_id":"f","components":[{"type":18,"label":"L","#
                + #""component":{"type":4,"custom_id":"x","style":1,"value":"v"}}]}}"#,
            #"{"type":4,"# + head + #","data":{"id":"1","name":"n","type":1}}"#,
        ]
        try seesAll(
            texts,
            by: Discord.InteractionModel.self,
            read: { try Discord.InteractionModel.decode($0, as: .json) },
            write: { try Discord.InteractionModel.encode($0, as: .json) }
        )
        let use = try Discord.InteractionModel.decode(Data(texts[1].utf8), as: .json)
        let command = try #require(use as? Discord.CommandUse)
        #expect(command.head.guildLocale == "en-US")
        #expect(
            command.data.options?.map(\.value) == [
                .text("The Gitrog Monster"), .number(1.5), .flag(true),
            ]
        )
        #expect(command.data.resolved?.members?["9"]?.permissions.contains(.administrator) == true)
    }

    @Test
    func `commands and answers`() throws {
        let command =
            #"{"id":"1","type":1,"application_id":"2","name":"blep","description":"Send","#
            + #""name_localizations":null,"default_member_permissions":null,"version":"3","#
            + #""options":[{"type":2,"name":"g","description":"d","options":[{"type":1,"#
            + #""name":"s","description":"d","options":[{"type":4,"name":"n","description":"d","#
            + #""min_value":1,"choices":[{"name":"one","value":1}]},{"type":10,"name":"f","#
            + #""description":"d","max_value":1.50},{"type":6,"name":"u","description":"d"},"#
            + #"{"type":7,"name":"c","description":"d","channel_types":[0,5]}]}]}]}"#
        _ = try sees(command, as: Discord.Command.self)
        let answers = [
            #"{"type":1}"#, #"{"type":6}"#, #"{"type":5}"#,
            #"{"type":4,"data":{"content":"Congrats!","embeds":[],"allowed_mentions":{"parse":[]}}}"#,
            #"{"type":8,"data":{"choices":[{"name":"a","value":"b"}]}}"#,
            #"{"type":9,"data":{"custom_id":"f","title":"T","components":[]}}"#,
        ]
        try seesAll(
            answers,
            by: Discord.AnswerModel.self,
            read: { try Discord.AnswerModel.decode($0, as: .json) },
            write: { try Discord.AnswerModel.encode($0, as: .json) }
        )
    }

    @Test
    func `frames of the socket are told by a number, and events by a name after it`() throws {
        let texts = [
            #"{"op":10,"d":{"heartbeat_interval":45000},"s":null,"t":null}"#,
            #"{"op":1,"d":251}"#, #"{"op":1,"d":null}"#, #"{"op":11}"#, #"{"op":9,"d":false}"#,
            #"{"op":2,"d":{"token":"t","properties":{"os":"linux"},"intents":7,"shard":[0,1]}}"#,
            #"{"op":0,"t":"MESSAGE_UPDATE","s":42,"d":"# + Self.message + "}",
            #"{"op":0,"s":3,"t":"MESSAGE_DELETE","d":{"id":"1","channel_id":"2"}}"#,
            #"{"op":0,"s":4,"d":{"type":1,"id":"5","recipients":[]},"t":"CHANNEL_DELETE"}"#,
            #"{"op":0,"s":5,"t":"GUILD_MEMBER_ADD","d":{"guild_id":"4","nick":null,"roles":[],"#
                + #""joined_at":"2015-04-26T06:26:56.936000+00:00","deaf":false,"mute":false,"flags":0}}"#,
            #"{"op":0,"s":6,"t":"PRESENCE_UPDATE","d":{"user":{"id":"1"},"guild_id":"2","#
                + #""status":"online","activities":[{"name":"Rocket League","type":1,"#
                + #""created_at":1507665886000,"url":null,"timestamps":{"start":1507665886000},"#
                + #""party":{"size":[1,5]}}],"client_status":{"desktop":"online"}}}"#,
            #"{"op":0,"s":7,"t":"READY","d":{"v":10,"user":"# + Self.user
                + #","guilds":[{"id":"1","unavailable":true}],"session_id":"s","#
                + #""resume_gateway_url":"wss://g.example"}}"#,
            #"{"op":0,"s":8,"t":"SOMETHING_NEW","d":{"x":1.50}}"#,
            #"{"op":77,"d":[1]}"#,
        ]
        try seesAll(
            texts,
            by: Discord.FrameModel.self,
            read: { try Discord.FrameModel.decode($0, as: .json) },
            write: { try Discord.FrameModel.encode($0, as: .json) }
        )
        let frames = try texts.map { try Discord.FrameModel.decode(Data($0.utf8), as: .json) }
        #expect((frames[8] as? Discord.ChannelEvent)?.d.wrapped is Discord.DirectChannel)
        #expect(frames[12] is Discord.UnknownEvent && frames[13] is Discord.UnknownFrame)
    }

    @Test
    func `rules of moderation, the audit log, and errors of requests`() throws {
        let head =
            #""id":"1","guild_id":"2","name":"Keywords","creator_id":"3","event_type":1,"#
            + #""actions":[{"type":1,"metadata":{"custom_message":"No"}},{"type":2,"#
            + #""metadata":{"channel_id":"4"}},{"type":3,"metadata":{"duration_seconds":60}}],"#
            + #""enabled":true,"exempt_roles":[],"exempt_channels":["5"]"#
        let rules = [
            #"{"trigger_type":1,"trigger_metadata":{"keyword_filter":["cat*"],"regex_patterns":["a|b"],"#
                + #""new":1},"# + head + "}",
            #"{"trigger_type":3,"trigger_metadata":{},"# + head + "}",
            #"{"trigger_type":4,"trigger_metadata":{"presets":[1],"allow_list":[]},"# + head + "}",
            #"{"trigger_type":5,"trigger_metadata":{"mention_total_limit":5},"# + head + "}",
        ]
        try seesAll(
            rules,
            by: Discord.RuleModel.self,
            read: { try Discord.RuleModel.decode($0, as: .json) },
            write: { try Discord.RuleModel.encode($0, as: .json) }
        )
        let log =
            #"{"audit_log_entries":[{"target_id":null,"changes":[{"key":"name","new_value":"b","#
            + #""old_value":null}],"user_id":"1","id":"2","action_type":1,"options":{"count":"3"}}],"#
            + #""users":[],"webhooks":[{"id":"1","type":1,"guild_id":"2","channel_id":null,"#
            + #""name":null,"avatar":null,"application_id":null}],"auto_moderation_rules":["#
            + rules.joined(separator: ",") + "]}"
        let read = try sees(log, as: Discord.AuditLog.self)
        #expect(read.auditLogEntries[0].changes?[0].oldValue == .null)
        let failure = try sees(
            #"{"code":50035,"errors":{"activities":{"0":{"platform":{"_errors":[{"code":"BASE","#
                + #""message":"one of"}]}}}},"message":"Invalid Form Body"}"#,
            as: Discord.Failure.self
        )
        #expect(failure.errors?.keys.sorted() == ["activities"])
        let limit = try sees(
            #"{"message":"You are being rate limited.","retry_after":64.570,"global":false}"#,
            as: Discord.RateLimit.self
        )
        #expect(limit.retryAfter.description == "64.570")
    }

    @Test
    func `an error says where`() {
        let text = #"{"audit_log_entries":[],"users":[],"webhooks":[{"id":"1","type":"x"}]}"#
        let error = #expect(throws: ModelDecodingError.self) {
            _ = try Discord.AuditLog(decoding: Data(text.utf8), as: .json)
        }
        #expect(error?.path == "webhooks[0].type", "\(String(describing: error))")
    }
}
