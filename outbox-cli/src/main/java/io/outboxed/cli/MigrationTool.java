package io.outboxed.cli;

/** Which tool is to run a printed script. */
enum MigrationTool {
    /** None, or the database's own client. */
    PLAIN {
        @Override
        String file(String script, String change) {
            return script;
        }
    },
    FLYWAY {
        @Override
        String file(String script, String change) {
            return "-- Save it as V<the next number>__outbox.sql. Flyway runs it once: do not change it afterwards.\n"
                    + script;
        }
    },
    LIQUIBASE {
        @Override
        String file(String script, String change) {
            return "--liquibase formatted sql\n--changeset outboxed:" + change + "\n" + script;
        }
    };

    /** @param change names what the script does */
    abstract String file(String script, String change);
}
