package io.outboxed.it.handlers;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** What handlers did: rows in the transaction, and a list in memory that no rollback undoes. */
@ApplicationScoped
public class Notes {

    /** A call of a handler and the transaction that it was in. */
    public record Call(String handler, Object transaction, int status) {}

    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transactions;

    public void createTable() {
        execute("create table if not exists it_note (handler varchar(60) not null, call_number int not null)");
        execute("create table if not exists it_once (id int not null primary key)");
    }

    /** Notes the call in both places. @return which call of this handler it is, from 1 */
    public int take(String handler) {
        calls.add(new Call(handler, transactions.getTransactionKey(), transactions.getTransactionStatus()));
        int call = counts.merge(handler, 1, Integer::sum);
        execute("insert into it_note (handler, call_number) values ('" + handler + "', " + call + ")");
        return call;
    }

    public List<Call> callsOf(String handler) {
        return calls.stream().filter(call -> call.handler().equals(handler)).toList();
    }

    /** The numbers of the calls whose rows are committed. */
    public List<Integer> rowsOf(String handler) {
        return query("select call_number from it_note where handler = '" + handler + "' order by call_number");
    }

    public int pending() {
        return query("select count(*) from outbox_message").get(0);
    }

    public List<Integer> attemptsOfDead(String handler) {
        return query("select attempts from outbox_dead where handler = '" + handler + "'");
    }

    public void execute(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private List<Integer> query(String sql) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            List<Integer> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getInt(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
