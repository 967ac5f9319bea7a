package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfiguredTextTest {

    @Test
    void keys_of_the_active_profile_are_known_without_it_although_payara_lists_them_as_they_are_written() {
        Config payara = (Config) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Config.class},
                (proxy, method, arguments) -> method.getName().equals("getPropertyNames")
                        ? List.of("outbox.lease", "%prod.outbox.drain", "%test.outbox.workers")
                        : Optional.of("prod"));

        assertThat(ConfiguredText.names(payara))
                .contains("outbox.lease", "outbox.drain")
                .doesNotContain("outbox.workers");
    }

    @Test
    void a_value_that_refers_to_an_unset_key_is_a_problem_and_not_an_unset_one() {
        List<String> problems = new ArrayList<>();
        Config source = GivenSettings.source(Map.of("a", "${not.set}", "b", " ", "c", "${d}", "d", " x "));

        assertThat(ConfiguredText.of(source, "a", problems)).isEmpty();
        assertThat(problems).hasSize(1).first().asString().contains("a: can't be read", "not.set");
        assertThat(ConfiguredText.of(source, "b", problems)).isEmpty();
        assertThat(ConfiguredText.of(source, "c", problems))
                .map(ConfigValue::getValue)
                .hasValue(" x ");
        assertThat(ConfiguredText.of(source, "unset", problems)).isEmpty();
        assertThat(problems).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user=${USER} password=s3cret | it refers to an unset key: ${USER} (from",
                "user=${KNOWN} ${USER} password=s3cret | it refers to an unset key: ${USER} (from",
                "user=${USER} password=${PASSWORD:s3cret} | it refers to an unset key: ${USER} (from",
                "s3cret=${A} ${B} ${A} | it refers to an unset key: ${A}, ${B} (from",
                "s3cret=${A | it refers to an unset key (from",
                "s3cret=${a} | a: can't be read",
            })
    void of_a_value_that_can_not_be_read_only_what_it_refers_to_is_shown(String value, String shown) {
        List<String> problems = new ArrayList<>();

        assertThat(ConfiguredText.of(GivenSettings.source(Map.of("a", value, "KNOWN", "x")), "a", problems))
                .isEmpty();
        assertThat(problems).hasSize(1).first().asString().contains(shown).doesNotContain("s3cret");
    }

    @Test
    void nor_is_it_shown_by_a_server_whose_exception_quotes_it() {
        List<String> problems = new ArrayList<>();
        Config payara = (Config) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Config.class}, (proxy, method, arguments) -> {
                    throw new IllegalArgumentException("Infinitely recursive expression found: s3cret=${a}");
                });

        assertThat(ConfiguredText.of(payara, "a", problems)).isEmpty();
        assertThat(problems)
                .hasSize(1)
                .first()
                .asString()
                .contains("a: can't be read: java.lang.IllegalArgumentException")
                .doesNotContain("s3cret");
    }
}
