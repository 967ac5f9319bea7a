package io.outboxed.bench.app;

import java.sql.SQLException;

/** What a business transaction does in addition to its own row. */
public enum Mode {
    PLAIN {
        @Override
        void run(Business business, long aggregate, String text) throws SQLException {
            business.plain(aggregate);
        }
    },
    EVENT {
        @Override
        void run(Business business, long aggregate, String text) throws SQLException {
            business.withEvent(aggregate, text);
        }
    },
    TEN_EVENTS {
        @Override
        void run(Business business, long aggregate, String text) throws SQLException {
            business.withEvents(aggregate, text, 10);
        }
    },
    PLAIN_ROW {
        @Override
        void run(Business business, long aggregate, String text) throws SQLException {
            business.withPlainRow(aggregate, text);
        }
    };

    abstract void run(Business business, long aggregate, String text) throws SQLException;
}
