package io.outboxed.shop;

import io.outboxed.shop.Views.DeadLetterView;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import jakarta.transaction.Transactional;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** The deliveries that were given up, as the outbox's own table has them. */
@ApplicationScoped
@Transactional
public class DeadLetters {

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    @SuppressWarnings("unchecked")
    public List<DeadLetterView> newest(int limit) {
        List<Tuple> rows =
                em.createNativeQuery("""
                        select message_id, type, aggregate_type, aggregate_id, handler, attempts, error, died_at
                        from outbox_dead order by died_at desc, message_id, handler
                        """, Tuple.class).setMaxResults(limit).getResultList();
        return rows.stream().map(DeadLetters::view).toList();
    }

    private static DeadLetterView view(Tuple row) {
        return new DeadLetterView(
                uuid(row.get(0)).toString(),
                (String) row.get(1),
                row.get(2) + "/" + row.get(3),
                (String) row.get(4),
                ((Number) row.get(5)).intValue(),
                (String) row.get(6),
                time(((Number) row.get(7)).longValue()).toString());
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** MySQL has no type for it: 16 bytes or 36 characters there. */
    private static UUID uuid(Object value) {
        if (value instanceof UUID id) {
            return id;
        }
        if (value instanceof byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        return UUID.fromString(value.toString());
    }
}
