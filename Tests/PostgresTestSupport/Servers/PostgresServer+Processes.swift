import Foundation

extension PostgresServer {
    func signal(_ number: Int32) {
        if let process { kill(process, number) }
    }

    /// The first process is stopped before, so that it starts no others meanwhile.
    func killAll() {
        guard let process else { return }
        kill(process, SIGSTOP)
        let children = Self.children(of: process)
        for child in children { kill(child, SIGKILL) }
        kill(process, SIGKILL)
        // Those are nobody's children now, and the next start needs the memory that they share.
        for child in children {
            while kill(child, 0) == 0, !Self.isZombie(child) { usleep(1000) }
        }
    }

    /// The processes that one has started.
    private static func children(of process: pid_t) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { fields(of: $0)?.parent == process }
    }

    private static func isZombie(_ process: pid_t) -> Bool { fields(of: process)?.state == "Z" }

    /// What `/proc/PID/stat` says after the name, which is in parentheses and may have any characters.
    private static func fields(of process: pid_t) -> (state: Substring, parent: pid_t)? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let text, let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
        return (fields[0], parent)
    }
}
