-- Four roles for PostgreSQL: one that owns and changes the tables, used at deployments only; one that the application
-- runs with; and two for the command line, of which you may leave out either. Run it inside the application's database,
-- as a superuser, or part 2 as outbox_migrator; the owner of the database may neither create roles nor grant rights on
-- the migrator's tables. Replace the passwords, and with another outbox.table-prefix the tables' names.
--
-- The migrator runs outbox-cdi/src/main/resources/io/outboxed/schema/postgresql.sql; the application then has
-- outbox.schema=verify, because it may not create tables.

-- Part 1, before the tables exist.
CREATE ROLE outbox_migrator LOGIN PASSWORD 'change me, too';
CREATE ROLE outbox_app LOGIN PASSWORD 'change me';
CREATE ROLE outbox_viewer LOGIN PASSWORD 'change me, viewer';
CREATE ROLE outbox_operator LOGIN PASSWORD 'change me, operator';
GRANT USAGE, CREATE ON SCHEMA public TO outbox_migrator;
GRANT USAGE ON SCHEMA public TO outbox_app, outbox_viewer, outbox_operator;

-- Part 2, after. Identity columns need no grant on their sequences.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  outbox_message, outbox_node, outbox_shard, outbox_lock, outbox_claim, outbox_handler, outbox_meta, outbox_lane, outbox_delivery,
  outbox_dead, outbox_inbox, outbox_history, outbox_pause, outbox_audit, outbox_operation
  TO outbox_app;

-- The application's own tables are changed in the same transactions by the same role: grant it what they need here.

-- For the command line: one that sees everything and changes nothing, and one that also replays, discards, drops,
-- pauses and cleans up.
-- The UPDATE on outbox_meta is for the test of row locks; it changes nothing.
GRANT SELECT ON
  outbox_message, outbox_node, outbox_shard, outbox_lock, outbox_claim, outbox_handler, outbox_meta, outbox_lane, outbox_delivery,
  outbox_dead, outbox_inbox, outbox_history, outbox_pause, outbox_audit, outbox_operation
  TO outbox_viewer, outbox_operator;
GRANT INSERT, UPDATE, DELETE ON outbox_message, outbox_lane TO outbox_operator;
GRANT UPDATE, DELETE ON outbox_delivery, outbox_dead, outbox_handler, outbox_inbox, outbox_history TO outbox_operator;
GRANT INSERT, UPDATE, DELETE ON outbox_audit, outbox_operation TO outbox_operator;
GRANT INSERT, DELETE ON outbox_pause TO outbox_operator;
GRANT UPDATE ON outbox_shard, outbox_meta TO outbox_operator;
-- The partitions of the history can be changed only by their owner, outbox_migrator. With outbox.history.partition, the
-- application's role has to be a member of it. New partitions belong to outbox_migrator, which needs CREATE for that:
--   GRANT outbox_migrator TO outbox_app;
