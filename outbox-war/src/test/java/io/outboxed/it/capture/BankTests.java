package io.outboxed.it.capture;

import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An account, tellers of every kind that post bookings to it, and queries of what they leave in the tables. */
abstract class BankTests {

    /** Not created by a persistence unit: Open Liberty creates one for each component, at first without a database. */
    private static final List<String> SCHEMA = List.of(
            "create table if not exists it_account (id varchar(255) not null primary key, bookings integer not null)",
            "create table if not exists it_versioned_account (id varchar(255) not null primary key,"
                    + " bookings integer not null, version integer not null)",
            "create table if not exists it_booking (id varchar(100) not null primary key, account varchar(255),"
                    + " number integer not null)");

    @Inject
    TransactionalTeller transactional;

    @Inject
    CmtTeller containerManaged;

    @Inject
    BmtTeller beanManaged;

    // not a @Resource: not every server's adapter injects one into a superclass
    @Inject
    Tables tables;

    @BeforeEach
    void open() throws SQLException {
        for (String table : SCHEMA) {
            update(table);
        }
        empty();
        transactional.open(Provider.HIBERNATE, "a-1");
        update("insert into it_booking (id, account, number) values ('taken', 'a-1', 0)");
    }

    @AfterEach
    void empty() throws SQLException {
        for (String table : List.of("it_booking", "it_account", "it_versioned_account", "outbox_message")) {
            update("delete from " + table);
        }
    }

    final Map<String, Teller> tellers() {
        Map<String, Teller> tellers = new LinkedHashMap<>();
        tellers.put("transactional", transactional);
        tellers.put("container-managed", containerManaged);
        tellers.put("bean-managed", beanManaged);
        return tellers;
    }

    final boolean booked(String key) throws SQLException {
        return count("it_booking where id = '" + key + "'") == 1;
    }

    final long stored(String key) throws SQLException {
        return count("outbox_message where payload like '%\"" + key + "\"%'");
    }

    final long count(String from) throws SQLException {
        return Long.parseLong(rows("select count(*) from " + from).get(0));
    }

    final List<String> rows(String sql) throws SQLException {
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    final void update(String sql) throws SQLException {
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
