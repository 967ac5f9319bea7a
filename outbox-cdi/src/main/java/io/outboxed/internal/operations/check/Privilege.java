package io.outboxed.internal.operations.check;

/** What an account may do with a table. */
enum Privilege {
    SELECT,
    INSERT,
    UPDATE,
    DELETE
}
