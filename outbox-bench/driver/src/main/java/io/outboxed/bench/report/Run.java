package io.outboxed.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The circumstances under which figures were measured.
 *
 * @param date ISO, to the second; identifies the run
 * @param command that repeats it
 * @param versions of database, server and peers
 */
public record Run(String date, String command, String machine, String database, String versions) {

    String line() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", "run");
        members.put("run", date);
        members.put("command", command);
        members.put("machine", machine);
        members.put("database", database);
        members.put("versions", versions);
        return Json.object(members);
    }

    static Run of(Map<String, String> members) {
        return new Run(
                members.get("run"),
                members.get("command"),
                members.get("machine"),
                members.get("database"),
                members.get("versions"));
    }
}
