package io.outboxed.internal.schema;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.sql.ProbeSql;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;

/**
 * Whether text is stored and read as it is. What a character set of MySQL's driver or session lacks becomes a question
 * mark, without an error; the drivers of the other databases always send Unicode.
 */
final class TextProbe {
    /** Not in latin1; the second character is not in utf8mb3 either. */
    private static final String TEXT = "\u4e2d\ud83c\udf75";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final ProbeSql sql;

    TextProbe(ProbeSql sql) {
        this.sql = sql;
    }

    /** @param way used in the message: the connection, or what it is taken from */
    void check(String way, Jdbc jdbc, List<String> problems) throws SQLException {
        if (!sql.dialect().isMySqlFamily()) {
            return;
        }
        String sent = hex(TEXT);
        Echo echo = jdbc.first(
                        sql.echo, row -> new Echo(row.getString("kept"), hex(row.getString("answer"))), TEXT, TEXT)
                .orElseThrow();
        if (!sent.equalsIgnoreCase(echo.kept()) || !sent.equals(echo.answer())) {
            problems.add(way + " changes text: of a test text with the UTF-8 bytes " + sent + ", the bytes "
                    + echo.kept() + " would be stored and " + echo.answer()
                    + " was read. Payloads would be damaged, and different keys could become equal. The character set"
                    + " comes from characterEncoding, connectionCollation or characterSetResults in the URL or the data"
                    + " source, from a SET NAMES of the pool, or else from the driver's default, which may be the"
                    + " server's. Remove such settings, or set characterEncoding=UTF-8.");
        }
    }

    private static String hex(String text) {
        return HEX.formatHex(String.valueOf(text).getBytes(StandardCharsets.UTF_8));
    }

    private record Echo(String kept, String answer) {}
}
