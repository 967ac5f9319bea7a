-- Two roles for PostgreSQL: one that owns and changes the tables, used at deployments only, and one that the
-- application runs with. Run it inside the application's database, as its owner or a superuser; replace the passwords,
-- and with another outbox.table-prefix the tables' names.
--
-- The migrator runs outbox-cdi/src/main/resources/io/outboxed/schema/postgresql.sql; the application then has
-- outbox.schema=verify, because it may not create tables.

-- Part 1, before the tables exist.
CREATE ROLE outbox_migrator LOGIN PASSWORD 'change me, too';
CREATE ROLE outbox_app LOGIN PASSWORD 'change me';
GRANT USAGE, CREATE ON SCHEMA public TO outbox_migrator;
GRANT USAGE ON SCHEMA public TO outbox_app;

-- Part 2, after. Identity columns need no grant on their sequences.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  outbox_message, outbox_node, outbox_shard, outbox_lock, outbox_handler, outbox_meta, outbox_lane, outbox_delivery,
  outbox_dead, outbox_inbox, outbox_history
  TO outbox_app;

-- The application's own tables are changed in the same transactions by the same role: grant it what they need here.
