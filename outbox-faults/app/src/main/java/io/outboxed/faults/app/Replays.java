package io.outboxed.faults.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Replays all dead letters. The public API has no way yet: the bean that the operations page names is internal and may move,
 * so it is found by its simple name.
 */
@ApplicationScoped
public class Replays {
    private static final String STORE = "DeadLetterStore";

    private record Letter(UUID message, String handler, String payload, String error) {}

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Inject
    Journal journal;

    @Inject
    BeanManager beans;

    /** @return how many */
    int all() throws SQLException, ReflectiveOperationException {
        int replayed = 0;
        for (Letter letter : letters()) {
            journal.replayed(letter.handler(), letter.payload(), String.valueOf(letter.error()));
            Object store = store();
            Object done = store.getClass()
                    .getMethod("replay", UUID.class, String.class)
                    .invoke(store, letter.message(), letter.handler());
            replayed += Boolean.TRUE.equals(done) ? 1 : 0;
        }
        return replayed;
    }

    private List<Letter> letters() throws SQLException {
        List<Letter> letters = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT message_id, handler, payload, error FROM outbox_dead")) {
            while (rows.next()) {
                letters.add(
                        new Letter(uuid(rows.getObject(1)), rows.getString(2), rows.getString(3), rows.getString(4)));
            }
        }
        return letters;
    }

    private Object store() {
        for (Bean<?> bean : beans.getBeans(Object.class, Any.Literal.INSTANCE)) {
            for (Type type : bean.getTypes()) {
                if (type instanceof Class<?> found && found.getSimpleName().equals(STORE)) {
                    return beans.getReference(bean, found, beans.createCreationalContext(bean));
                }
            }
        }
        throw new IllegalStateException("no bean " + STORE + ": see docs/operations.md, dead letters");
    }

    private static UUID uuid(Object value) {
        if (value instanceof byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        return UUID.fromString(value.toString());
    }
}
