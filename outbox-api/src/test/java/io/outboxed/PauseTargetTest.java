package io.outboxed;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.admin.PauseTarget;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names a new pause may have. */
class PauseTargetTest {

    @Test
    void names_that_types_and_handlers_can_have_are_valid() {
        for (PauseTarget target : List.of(
                PauseTarget.everything(),
                PauseTarget.type("com.example:orders/order_placed-v2"),
                PauseTarget.type("x".repeat(PauseTarget.MAX_NAME)),
                PauseTarget.handler("Order_Mailer.on-placed"))) {
            assertThatCode(target::requireValidName).as(target.toString()).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {" ", "*", "order.*", "order placed", "mail\n2026-11-25 INFO forged", "bestellung.größe", "?"})
    void other_names_are_not(String name) {
        for (PauseTarget target : List.of(PauseTarget.type(name), PauseTarget.handler(name))) {
            assertThatIllegalArgumentException()
                    .as(target.kind().toString())
                    .isThrownBy(target::requireValidName)
                    .withMessageNotContaining("forged");
        }
    }

    @Test
    void the_name_of_a_handler_has_neither_colon_nor_slash() {
        for (String name : List.of("a:b", "a/b")) {
            PauseTarget.type(name).requireValidName();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PauseTarget.handler(name).requireValidName());
        }
    }

    @Test
    void the_type_under_which_handlers_of_any_type_are_registered_has_its_own_explanation() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PauseTarget.type("*").requireValidName())
                .withMessageContaining("pause the handler, or everything");
    }
}
