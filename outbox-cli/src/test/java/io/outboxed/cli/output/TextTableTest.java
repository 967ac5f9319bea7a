package io.outboxed.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void a_stored_text_makes_no_row_and_controls_no_terminal() {
        TextTable table = new TextTable("ID").add("4711\nforged\u0085\u2028x\u2029\u001b[31m\u009b31m\u202e");

        assertThat(lines(table)).containsExactly("ID", "4711 forged x [31m 31m");
    }

    @Test
    void a_long_text_is_cut_unless_other_commands_take_it() {
        String text = "x".repeat(101);

        assertThat(lines(new TextTable("ID").add(text))).containsExactly("ID", "x".repeat(99) + "…");
        assertThat(lines(TextTable.whole("ID").add(text))).containsExactly("ID", text);
    }

    private static String[] lines(TextTable table) {
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        table.print(out);
        out.flush();
        return printed.toString().split("\\R");
    }
}
