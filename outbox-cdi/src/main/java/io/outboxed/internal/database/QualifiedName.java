package io.outboxed.internal.database;

/**
 * A name as statements use it.
 *
 * @param schema null for the connection's own; on MySQL and MariaDB a database
 * @param name without the schema
 */
public record QualifiedName(String schema, String name) {

    /** Also of the beginning of a name. */
    public static QualifiedName of(String text) {
        int dot = text.indexOf('.');
        return dot < 0
                ? new QualifiedName(null, text)
                : new QualifiedName(text.substring(0, dot), text.substring(dot + 1));
    }

    /** Another name in the same schema. */
    public String beside(String other) {
        return schema == null ? other : schema + "." + other;
    }
}
