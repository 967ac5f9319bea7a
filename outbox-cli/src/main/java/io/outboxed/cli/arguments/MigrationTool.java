package io.outboxed.cli.arguments;

/** Which tool is to run a printed script. */
public enum MigrationTool {
    /** None, or the database's own client. */
    PLAIN {
        @Override
        public String file(String script, String change) {
            return script;
        }
    },
    FLYWAY {
        @Override
        public String file(String script, String change) {
            return "-- Save it as V<the next number>__outbox.sql. Flyway runs it once: do not change it afterwards.\n"
                    + script;
        }
    },
    LIQUIBASE {
        @Override
        public String file(String script, String change) {
            return "--liquibase formatted sql\n--changeset outboxed:" + change + "\n" + script;
        }
    };

    /** @param change names what the script does */
    public abstract String file(String script, String change);
}
