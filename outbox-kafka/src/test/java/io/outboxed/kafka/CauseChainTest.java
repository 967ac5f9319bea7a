package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.NoSuchFileException;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class CauseChainTest {

    @Test
    void each_cause_is_named_once() {
        Throwable file = new NoSuchFileException("/none.jks");
        assertThat(CauseChain.inWords(new KafkaException("no client", new KafkaException(file))))
                .isEqualTo("KafkaException: no client; NoSuchFileException: /none.jks");
    }

    /** A plug-in of the client may throw such a chain, and a search in it must end. */
    @Test
    void the_end_of_causes_that_form_a_circle_is_cut_off() {
        Throwable one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));

        assertThat(CauseChain.of(one)).hasSizeLessThan(100).contains(one, one.getCause());
    }

    @Test
    void what_the_parser_of_a_login_quotes_is_hidden() {
        Throwable quoting = new IllegalArgumentException("Value not specified for key 'hu'sh' in JAAS config");
        assertThat(CauseChain.inWords(new KafkaException(quoting)))
                .isEqualTo("IllegalArgumentException: Value not specified for key [hidden] in JAAS config");
        assertThat(CauseChain.inWords(new KafkaException("?", quoting))).doesNotContain("hu", "sh'");
    }
}
