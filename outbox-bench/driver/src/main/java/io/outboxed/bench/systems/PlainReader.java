package io.outboxed.bench.systems;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * The single claimer: reads the pending rows in order, page by page, and assigns them to the workers by lane, so that
 * each aggregate keeps its order. No other transaction writes to the table at the same time, so it can continue reading
 * above the last row.
 */
final class PlainReader {
    private static final String PAGE =
            "SELECT " + PlainRow.COLUMNS + " FROM limit_message WHERE status = 0 AND seq > ? ORDER BY seq LIMIT ?";

    private PlainReader() {}

    static void deal(Connection connection, int pageRows, List<BlockingQueue<List<PlainRow>>> workers)
            throws SQLException, InterruptedException {
        try (PreparedStatement page = connection.prepareStatement(PAGE)) {
            long last = 0;
            List<PlainRow> rows;
            do {
                rows = read(page, last, pageRows);
                if (!rows.isEmpty()) {
                    last = rows.get(rows.size() - 1).seq();
                }
                dealOut(rows, workers);
            } while (rows.size() == pageRows);
        }
        for (BlockingQueue<List<PlainRow>> worker : workers) {
            worker.put(List.of());
        }
    }

    private static void dealOut(List<PlainRow> rows, List<BlockingQueue<List<PlainRow>>> workers)
            throws InterruptedException {
        List<List<PlainRow>> shares = new ArrayList<>();
        workers.forEach(worker -> shares.add(new ArrayList<>()));
        rows.forEach(row -> shares.get((int) Math.floorMod(row.lane(), (long) workers.size()))
                .add(row));
        for (int i = 0; i < shares.size(); i++) {
            if (!shares.get(i).isEmpty()) {
                workers.get(i).put(shares.get(i));
            }
        }
    }

    private static List<PlainRow> read(PreparedStatement page, long last, int pageRows) throws SQLException {
        page.setLong(1, last);
        page.setInt(2, pageRows);
        List<PlainRow> rows = new ArrayList<>();
        try (ResultSet result = page.executeQuery()) {
            while (result.next()) {
                rows.add(PlainRow.of(result));
            }
        }
        return rows;
    }
}
