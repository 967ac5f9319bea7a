package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.admin.Attribution;
import org.junit.jupiter.api.Test;

/** What a name and a reason may contain: both are shown as they are. */
class AttributionTest {

    @Test
    void what_controls_a_terminal_or_the_direction_of_text_becomes_a_space() {
        Attribution by = new Attribution("bob\u009b2J\u202e", "cli\u001b", "line\n\u2028\u2029mark\u200b\ufeff");

        assertThat(by.who()).isEqualTo("bob 2J ");
        assertThat(by.via()).isEqualTo("cli ");
        assertThat(by.why()).isEqualTo("line   mark  ");
    }

    @Test
    void other_text_is_kept() {
        assertThat(Attribution.of("Zo\u00eb O'Brien <zoe@example.com>", "\u4e2d\ud83c\udf75"))
                .isEqualTo(new Attribution("Zo\u00eb O'Brien <zoe@example.com>", "api", "\u4e2d\ud83c\udf75"));
    }

    @Test
    void a_name_of_nothing_visible_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Attribution.of("\u200b\u202e", ""));
    }
}
