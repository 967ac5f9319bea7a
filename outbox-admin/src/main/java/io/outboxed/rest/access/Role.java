package io.outboxed.rest.access;

import io.outboxed.internal.config.OutboxConfig.Roles;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/** What a user may do. Who manages operators need not see what customers have ordered: no role implies the editor's. */
public enum Role {
    /** Sees everything but the content of events. */
    VIEWER,
    /** Also changes single deliveries, and replays many. */
    OPERATOR,
    /** Also sees the content of events. */
    EDITOR,
    /** May do what an operator may, and what can't be undone for many at once. */
    ADMIN;

    private Set<Role> grantedBy() {
        return switch (this) {
            case VIEWER -> EnumSet.allOf(Role.class);
            case OPERATOR -> EnumSet.of(OPERATOR, ADMIN);
            case EDITOR -> EnumSet.of(EDITOR);
            case ADMIN -> EnumSet.of(ADMIN);
        };
    }

    /** @param isUserInRole asks the container, by the configured name */
    boolean isHeld(Roles names, Predicate<String> isUserInRole) {
        return grantedBy().stream().anyMatch(role -> isUserInRole.test(role.in(names)));
    }

    /** The container's name for this role. */
    public String in(Roles names) {
        return switch (this) {
            case VIEWER -> names.viewer();
            case OPERATOR -> names.operator();
            case EDITOR -> names.editor();
            case ADMIN -> names.admin();
        };
    }
}
