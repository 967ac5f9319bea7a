package io.outboxed.cli.arguments;

/** Which tool is to run a printed script. */
public enum MigrationTool {
    /** None, or the database's own client. */
    PLAIN {
        @Override
        public String file(String script, String change, boolean onChange) {
            return script;
        }
    },
    FLYWAY {
        @Override
        public String file(String script, String change, boolean onChange) {
            return "-- Save it as V<the next number>__outbox.sql. Flyway runs it once: do not change it afterwards.\n"
                    + script;
        }
    },
    LIQUIBASE {
        @Override
        public String file(String script, String change, boolean onChange) {
            return "--liquibase formatted sql\n--changeset outboxed:" + change + (onChange ? " runOnChange:true" : "")
                    + "\n" + script;
        }
    };

    /**
     * @param change names what the script does
     * @param onChange whether a tool that can tell runs it again once it is another one
     */
    public abstract String file(String script, String change, boolean onChange);
}
