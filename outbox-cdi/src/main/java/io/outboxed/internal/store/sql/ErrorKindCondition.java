package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.store.ErrorKind;
import java.util.Collections;

/** Selects the errors of a kind, as {@link ErrorKind} cuts them. */
public final class ErrorKindCondition {
    private static final String OF_CUT_KIND = "POSITION(? IN :error) = 1";
    private static final String AFTER_KIND = "SUBSTRING(:error FROM CHAR_LENGTH(?) + 1)";
    private static final String NEXT_BEGINS = "SUBSTRING(LTRIM(" + AFTER_KIND + ") FROM 1 FOR 1) IN ";
    private static final String DIGITS = "'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'";
    private static final String ALWAYS_ENDS = "'', '''', '\"', '[', '{', '<', '\n', '\r', '\t'";

    private static final String OF_KIND = OF_CUT_KIND + " AND " + NEXT_BEGINS + "(" + ALWAYS_ENDS + ", " + DIGITS + ")";
    private static final String OF_NAMED_KIND = OF_CUT_KIND + " AND (" + NEXT_BEGINS + "(" + ALWAYS_ENDS + ") OR "
            + AFTER_KIND + " LIKE ':%' OR " + AFTER_KIND + " LIKE ' %' AND " + NEXT_BEGINS + "(" + DIGITS + "))";

    private ErrorKindCondition() {}

    /**
     * @param column with the errors, such as {@code m.error}
     * @param text of the kind; null for any
     */
    public static void add(Conditions conditions, String column, String text) {
        if (text == null) {
            return;
        }
        ErrorKind kind = new ErrorKind(text);
        if (kind.isCut()) {
            add(conditions, OF_CUT_KIND, 1, column, kind);
        } else if (kind.isName()) {
            add(conditions, OF_NAMED_KIND, 5, column, kind);
        } else {
            add(conditions, OF_KIND, 2, column, kind);
        }
    }

    /** @param times how often the text of the kind occurs in the statement */
    private static void add(Conditions conditions, String statement, int times, String column, ErrorKind kind) {
        conditions.and(
                statement.replace(":error", column),
                Collections.nCopies(times, kind.text()).toArray());
    }
}
