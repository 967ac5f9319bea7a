package io.outboxed.internal.capture.json;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "0",
                "-0.5e+10",
                "true",
                "false",
                "null",
                " \t\r\n{ \"a\" : [ 1 , { \"b\" : null } ] } \n",
                "\"\\u0000\\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83c\\udf75\"",
                "\"\u007f\u2028\uD83C\uDF75\"",
                "{\"\":\"\",\" \":1}",
                "12345678901234567890.12345678901234567890e-400",
            })
    void json_of_any_kind_is_accepted(String json) {
        assertThatCode(() -> JsonText.require(json, "it")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "order 7",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\":1}}",
                "{\"a\":1} {",
                "{} []",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1]]",
                "]",
                "1 2",
                "01",
                "+1",
                ".5",
                "1.",
                "1e",
                "-",
                "NaN",
                "Infinity",
                "tru",
                "True",
                "nulll",
                "\"",
                "\"a",
                "\"a\nb\"",
                "\"\u0001\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12G4\"",
                "// comment\n1",
                "/* comment */ 1",
                "\uFEFF{}",
                "<a/>",
            })
    void everything_else_is_refused(String text) {
        assertThatThrownBy(() -> JsonText.require(text, "the payload of order.placed"))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0118 the payload of order.placed is not valid JSON ")
                .hasMessageContaining("offset ");
    }

    @Test
    void the_error_names_the_position_and_what_was_expected_there_but_not_the_payload() {
        String text = "{\n  \"card\": \"4711\",\n  \"secret\" \"x\"\n}";

        assertThatThrownBy(() -> JsonText.require(text, "it"))
                .hasMessageContaining("at line 3, column ")
                .hasMessageContaining("COLON")
                .hasMessageNotContaining("4711")
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("\"x\"");
    }

    @Test
    void what_the_parser_can_not_read_is_refused_too() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);

        assertThatThrownBy(() -> JsonText.require(deep, "it")).hasMessageStartingWith("OUTBOX-0118 it");
    }
}
