package io.outboxed.internal.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcType;

/**
 * A message of the outbox. Capture inserts it, and applications may query it in JPQL; only the relay changes and
 * deletes rows, with its own statements. The database fills seq and the relay's own columns.
 *
 * <p>The id is the message's, which capture assigns: Hibernate would insert rows with generated ids one by one. After
 * the replay of a dead letter several rows may have the same id.
 *
 * <p>Strings and byte arrays without a length are bound as VARCHAR and VARBINARY, which every database accepts for its
 * long types. The unit adds the prefix to the table's name.
 */
@Entity(name = "OutboxRow")
@Table(name = "message")
@Immutable
public class OutboxRow {

    @Id
    @Column(name = "id")
    @JdbcType(UuidColumn.class)
    private UUID id;

    @Column(name = "seq", insertable = false, updatable = false)
    private Long seq;

    @Column(name = "shard")
    private short shard;

    @Column(name = "lane")
    private long lane;

    @Column(name = "status", insertable = false, updatable = false)
    private short status;

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

    @Column(name = "registry_version")
    private long registryVersion;

    @Column(name = "only_handler", insertable = false, updatable = false)
    private String onlyHandler;

    /** For JPA. */
    protected OutboxRow() {}

    /**
     * @param payload the text, or null if there are bytes
     * @param payloadBinary the bytes, or null if there is text; not copied
     * @param headers null if there are none
     */
    public OutboxRow(
            UUID id,
            int shard,
            long lane,
            String aggregateType,
            String aggregateId,
            String type,
            String payload,
            byte[] payloadBinary,
            int payloadSize,
            String headers,
            long delayMicros,
            long registryVersion) {
        this.id = id;
        this.shard = (short) shard;
        this.lane = lane;
        this.aggregateType = aggregateType;
        this.aggregateId = aggregateId;
        this.type = type;
        this.payload = payload;
        this.payloadBinary = payloadBinary;
        this.payloadSize = payloadSize;
        this.headers = headers;
        this.delayMicros = delayMicros;
        this.registryVersion = registryVersion;
    }

    public OutboxRow withDelay(long newDelayMicros) {
        return new OutboxRow(
                id,
                shard,
                lane,
                aggregateType,
                aggregateId,
                type,
                payload,
                payloadBinary,
                payloadSize,
                headers,
                newDelayMicros,
                registryVersion);
    }

    public UUID id() {
        return id;
    }

    public int shard() {
        return shard;
    }

    public long lane() {
        return lane;
    }

    public String aggregateType() {
        return aggregateType;
    }

    public String aggregateId() {
        return aggregateId;
    }

    public String type() {
        return type;
    }

    public String payload() {
        return payload;
    }

    public byte[] payloadBinary() {
        return payloadBinary;
    }

    public int payloadSize() {
        return payloadSize;
    }

    public String headers() {
        return headers;
    }

    public long delayMicros() {
        return delayMicros;
    }

    public long registryVersion() {
        return registryVersion;
    }
}
