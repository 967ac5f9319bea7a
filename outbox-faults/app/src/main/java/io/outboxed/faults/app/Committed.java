package io.outboxed.faults.app;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Written in the event's own transaction: this row exists if and only if the event was committed. */
@Entity
@Table(name = "faults_committed")
public class Committed {

    @Id
    private String id;

    private String account;
    private long number;
    private String fault;
    private String type;

    /** Of the application that published the event. */
    @Column(name = "app_version")
    private int version;

    @Column(name = "written_at")
    private long writtenAt;

    @Column(name = "due_at")
    private long dueAt;

    protected Committed() {}

    /** @param dueAt microseconds since 1970, before which no handler may be called */
    Committed(
            String id,
            String account,
            long number,
            HandlerFault fault,
            String type,
            int version,
            long writtenAt,
            long dueAt) {
        this.id = id;
        this.account = account;
        this.number = number;
        this.fault = fault.name();
        this.type = type;
        this.version = version;
        this.writtenAt = writtenAt;
        this.dueAt = dueAt;
    }

    String id() {
        return id;
    }

    String account() {
        return account;
    }

    long number() {
        return number;
    }

    HandlerFault fault() {
        return HandlerFault.valueOf(fault);
    }
}
