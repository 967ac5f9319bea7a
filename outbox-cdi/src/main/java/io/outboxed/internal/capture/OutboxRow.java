package io.outboxed.internal.capture;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcType;

/**
 * A message as capture writes it, never read by JPA. The id is assigned, so that Hibernate inserts in batches; seq,
 * created_at and the relay's own columns are filled by the database. Strings and byte arrays without a length bind as
 * VARCHAR and VARBINARY, which every database takes for its long types (no large objects on PostgreSQL).
 */
@Entity(name = "OutboxRow")
@Table(name = "message")
@Immutable
class OutboxRow {

    @Id
    @Column(name = "id")
    @JdbcType(UuidColumn.class)
    private UUID id;

    @Column(name = "shard")
    private short shard;

    @Column(name = "lane")
    private long lane;

    @Column(name = "aggregate_type")
    private String aggregateType;

    @Column(name = "aggregate_id")
    private String aggregateId;

    @Column(name = "type")
    private String type;

    @Column(name = "payload")
    private String payload;

    @Column(name = "payload_binary")
    private byte[] payloadBinary;

    @Column(name = "payload_size")
    private int payloadSize;

    @Column(name = "headers")
    private String headers;

    @Column(name = "delay_micros")
    private long delayMicros;

    @Column(name = "registry")
    private long registry;

    /** For JPA. */
    protected OutboxRow() {}

    OutboxRow(
            UUID id,
            int shard,
            long lane,
            EventAddress address,
            StoredPayload stored,
            String headers,
            long delayMicros,
            long registry) {
        this.id = id;
        this.shard = (short) shard;
        this.lane = lane;
        this.aggregateType = address.aggregateType();
        this.aggregateId = address.aggregateId();
        this.type = address.type();
        this.payload = stored.text();
        this.payloadBinary = stored.bytes();
        this.payloadSize = stored.size();
        this.headers = headers;
        this.delayMicros = delayMicros;
        this.registry = registry;
    }

    UUID id() {
        return id;
    }

    int shard() {
        return shard;
    }

    long lane() {
        return lane;
    }

    String aggregateType() {
        return aggregateType;
    }

    String aggregateId() {
        return aggregateId;
    }

    String type() {
        return type;
    }

    String payload() {
        return payload;
    }

    byte[] payloadBinary() {
        return payloadBinary;
    }

    int payloadSize() {
        return payloadSize;
    }

    String headers() {
        return headers;
    }

    long delayMicros() {
        return delayMicros;
    }

    long registry() {
        return registry;
    }
}
