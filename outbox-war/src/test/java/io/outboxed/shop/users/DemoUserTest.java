package io.outboxed.shop.users;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.CredentialValidationResult.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The password that the demo generates at each start, and logs. */
class DemoUserTest {
    private static final Logger LOG = Logger.getLogger("io.outboxed.shop");
    private static final String BEFORE_IT = "password: ";

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(listener);
        LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        LOG.removeHandler(listener);
        LOG.setUseParentHandlers(true);
    }

    @Test
    void each_start_has_a_password_of_its_own_which_is_logged_once() {
        DemoUser first = started(true);
        DemoUser second = started(true);

        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("OUTBOX-0704"));
        String ofFirst = password(0);
        String ofSecond = password(1);
        assertThat(ofFirst).hasSizeGreaterThanOrEqualTo(24).isNotEqualTo(ofSecond);
        assertThat(login(first, "demo", ofFirst).getCallerGroups())
                .containsExactlyInAnyOrder("outbox-operator", "outbox-editor", "outbox-admin");
        assertThat(login(second, "demo", ofSecond).getStatus()).isEqualTo(Status.VALID);
        assertThat(List.of(
                        login(first, "demo", ofSecond),
                        login(second, "demo", ofFirst),
                        login(first, "admin", ofFirst),
                        login(first, "demo", "demo"),
                        login(first, "demo", "")))
                .allMatch(result -> result.getStatus() == Status.INVALID);
    }

    @Test
    void while_the_admin_api_is_closed_there_is_no_user_and_no_password() {
        DemoUser closed = started(false);

        assertThat(closed.exists()).isFalse();
        assertThat(lines).isEmpty();
        assertThat(List.of(login(closed, "demo", ""), login(closed, "demo", "demo"), login(closed, "demo", "null")))
                .allMatch(result -> result.getStatus() == Status.INVALID);
    }

    /** As the container does it. */
    private static DemoUser started(boolean enabled) {
        DemoUser user = new DemoUser();
        user.enabled = enabled;
        user.generatePassword();
        return user;
    }

    private String password(int start) {
        String line = lines.get(start);
        return line.substring(line.indexOf(BEFORE_IT) + BEFORE_IT.length());
    }

    private static CredentialValidationResult login(DemoUser user, String name, String password) {
        return user.validate(new UsernamePasswordCredential(name, password));
    }
}
