package io.outboxed.rest.access;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Everything that the API can do, and the role that it takes. This is the only table of rights: what is not in it is
 * refused.
 */
public enum AdminOperation {
    STATUS("GET", "status", Role.VIEWER),
    SHARDS("GET", "shards", Role.VIEWER),
    HANDLERS("GET", "handlers", Role.VIEWER),
    MESSAGES("GET", "messages", Role.VIEWER),
    MESSAGE("GET", "messages/{id}", Role.VIEWER),
    CONTENT("GET", "messages/{id}/content", Role.EDITOR),
    AGGREGATE("GET", "aggregate", Role.VIEWER),
    DEAD_LETTERS("GET", "dead-letters", Role.VIEWER),
    FAILURES("GET", "dead-letters/failures", Role.VIEWER),
    PAUSES("GET", "pauses", Role.VIEWER),
    AUDIT("GET", "audit", Role.OPERATOR),
    RETRY("POST", "messages/{id}/retry", Role.OPERATOR),
    REPLAY("POST", "messages/{id}/replay", Role.OPERATOR),
    DISCARD("POST", "messages/{id}/discard", Role.OPERATOR),
    EDIT("POST", "messages/{id}/edit", Role.EDITOR),
    OPERATIONS("GET", "operations", Role.VIEWER),
    OPERATION("GET", "operations/{id}", Role.VIEWER),
    PREVIEW("POST", "operations/preview", Role.OPERATOR),
    REPLAY_MANY("POST", "operations/replay", Role.OPERATOR),
    DISCARD_MANY("POST", "operations/discard", Role.ADMIN),
    RETRY_MANY("POST", "operations/retry", Role.OPERATOR),
    CANCEL("POST", "operations/{id}/cancel", Role.OPERATOR),
    PREVIEW_DROP("POST", "handlers/drop-deliveries/preview", Role.OPERATOR),
    DROP_DELIVERIES("POST", "handlers/drop-deliveries", Role.ADMIN),
    PAUSE("POST", "pauses", Role.OPERATOR),
    PAUSE_EVERYTHING("POST", "pauses/everything", Role.ADMIN),
    RESUME("POST", "pauses/resume", Role.OPERATOR);

    /**
     * Below the application path. It is part of each resource's path, because an application that scans for resources
     * finds ours too: a path as short as "messages" would collide with its own.
     */
    public static final String ROOT = "admin/v1";

    private static final Set<AdminOperation> VERSIONED =
            Set.of(RETRY, REPLAY, DISCARD, EDIT, REPLAY_MANY, DISCARD_MANY, RETRY_MANY, DROP_DELIVERIES, RESUME);
    private static final String ID = "{id}";
    private static final String UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

    private final String method;
    private final String path;
    private final Role role;
    private final Pattern pattern;

    AdminOperation(String method, String path, Role role) {
        this.method = method;
        this.path = path;
        this.role = role;
        this.pattern = Pattern.compile(ROOT + "/" + path.replace(ID, UUID));
    }

    /** The operations of a path below the application path, as it was sent; no path is written in two ways. */
    static List<AdminOperation> at(String path) {
        return Arrays.stream(values())
                .filter(each -> each.pattern.matcher(path).matches())
                .toList();
    }

    /** HEAD is answered like GET. */
    static Optional<AdminOperation> of(List<AdminOperation> ofPath, String method) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        return ofPath.stream().filter(each -> each.method.equals(wanted)).findFirst();
    }

    public String method() {
        return method;
    }

    /** Below {@link #ROOT}, for example {@code messages/{id}}. */
    public String path() {
        return path;
    }

    public Role role() {
        return role;
    }

    public boolean takesBody() {
        return !method.equals("GET");
    }

    /** Whether it compares If-Match with what it changes. */
    boolean hasVersion() {
        return VERSIONED.contains(this);
    }

    /** Whether it is recorded with the user's name: pages of other sites must not ask for it in that name. */
    boolean isClosedToOtherSites() {
        return takesBody() || this == CONTENT;
    }
}
