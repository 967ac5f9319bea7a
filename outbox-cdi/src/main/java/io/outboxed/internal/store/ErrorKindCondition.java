package io.outboxed.internal.store;

import java.util.Collections;
import java.util.List;

/**
 * Selects the errors of a kind, as {@link ErrorKind} cuts them.
 *
 * @param values as often as the text of the kind occurs in the statement
 */
public record ErrorKindCondition(String statement, List<String> values) {
    private static final String OF_CUT_KIND = "POSITION(? IN :error) = 1";
    private static final String AFTER_KIND = "SUBSTRING(:error FROM CHAR_LENGTH(?) + 1)";
    private static final String NEXT_BEGINS = "SUBSTRING(LTRIM(" + AFTER_KIND + ") FROM 1 FOR 1) IN ";
    private static final String DIGITS = "'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'";
    private static final String ALWAYS_ENDS = "'', '''', '\"', '[', '{', '<', '\n', '\r', '\t'";

    private static final String OF_KIND = OF_CUT_KIND + " AND " + NEXT_BEGINS + "(" + ALWAYS_ENDS + ", " + DIGITS + ")";
    private static final String OF_NAMED_KIND = OF_CUT_KIND + " AND (" + NEXT_BEGINS + "(" + ALWAYS_ENDS + ") OR "
            + AFTER_KIND + " LIKE ':%' OR " + AFTER_KIND + " LIKE ' %' AND " + NEXT_BEGINS + "(" + DIGITS + "))";

    /** @param column with the errors, such as {@code m.error} */
    public static ErrorKindCondition on(String column, ErrorKind kind) {
        if (kind.isCut()) {
            return of(OF_CUT_KIND, 1, column, kind);
        }
        return kind.isName() ? of(OF_NAMED_KIND, 5, column, kind) : of(OF_KIND, 2, column, kind);
    }

    private static ErrorKindCondition of(String statement, int times, String column, ErrorKind kind) {
        return new ErrorKindCondition(statement.replace(":error", column), Collections.nCopies(times, kind.text()));
    }
}
