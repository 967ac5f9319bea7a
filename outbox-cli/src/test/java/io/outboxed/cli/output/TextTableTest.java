package io.outboxed.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void a_stored_text_makes_no_row_and_controls_no_terminal() {
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        new TextTable("ID")
                .add("4711\nforged\u0085\u2028x\u2029\u001b[31m\u009b31m\u202e")
                .print(out);
        out.flush();

        assertThat(printed.toString().split("\\R")).containsExactly("ID", "4711 forged x [31m 31m");
    }
}
