-- Four accounts for MySQL 8 (and MariaDB): one that changes tables, used at deployments only; one that the application
-- runs with; and two for the command line, of which you may leave out either. Replace the names of the database and of
-- the hosts, and the passwords. With another outbox.table-prefix replace the tables' names too.
--
-- The migrator runs outbox-cdi/src/main/resources/io/outboxed/schema/mysql.sql; the application then has
-- outbox.schema=verify, because it may not create tables.

-- Part 1, before the tables exist.
CREATE USER IF NOT EXISTS 'outbox_migrator'@'%' IDENTIFIED BY 'change me, too';
GRANT CREATE, ALTER, DROP, INDEX, REFERENCES, SELECT, INSERT, UPDATE, DELETE ON `outbox`.* TO 'outbox_migrator'@'%';

-- Part 2, after.
CREATE USER IF NOT EXISTS 'outbox_app'@'%' IDENTIFIED BY 'change me';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_message` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_node` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_shard` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_lock` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_claim` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_handler` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_meta` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_lane` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_delivery` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_dead` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_inbox` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_history` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_pause` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_audit` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_operation` TO 'outbox_app'@'%';
-- MySQL 8.0.12 rejects SELECT ... FOR UPDATE if all privileges are those of tables. This one allows nothing to be read.
GRANT LOCK TABLES ON `outbox`.* TO 'outbox_app'@'%';

-- The application's own tables are changed in the same transactions by the same account: grant it what they need here.

-- For the command line: one that sees everything and changes nothing, and one that also replays, discards, drops,
-- pauses and cleans up.
-- The UPDATE on outbox_meta is for the test of row locks; it changes nothing.
CREATE USER IF NOT EXISTS 'outbox_viewer'@'%' IDENTIFIED BY 'change me, viewer';
GRANT SELECT ON `outbox`.`outbox_message` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_node` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_shard` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_lock` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_claim` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_handler` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_meta` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_lane` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_delivery` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_dead` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_inbox` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_history` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_pause` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_audit` TO 'outbox_viewer'@'%';
GRANT SELECT ON `outbox`.`outbox_operation` TO 'outbox_viewer'@'%';

CREATE USER IF NOT EXISTS 'outbox_operator'@'%' IDENTIFIED BY 'change me, operator';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_message` TO 'outbox_operator'@'%';
GRANT SELECT ON `outbox`.`outbox_node` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE ON `outbox`.`outbox_shard` TO 'outbox_operator'@'%';
GRANT SELECT ON `outbox`.`outbox_lock` TO 'outbox_operator'@'%';
GRANT SELECT ON `outbox`.`outbox_claim` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE, DELETE ON `outbox`.`outbox_handler` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE ON `outbox`.`outbox_meta` TO 'outbox_operator'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_lane` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE, DELETE ON `outbox`.`outbox_delivery` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE, DELETE ON `outbox`.`outbox_dead` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE, DELETE ON `outbox`.`outbox_inbox` TO 'outbox_operator'@'%';
GRANT SELECT, UPDATE, DELETE ON `outbox`.`outbox_history` TO 'outbox_operator'@'%';
GRANT SELECT, INSERT, DELETE ON `outbox`.`outbox_pause` TO 'outbox_operator'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_audit` TO 'outbox_operator'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_operation` TO 'outbox_operator'@'%';
-- As above.
GRANT LOCK TABLES ON `outbox`.* TO 'outbox_operator'@'%';
-- Optional: an account that maintains the partitions of the history, if the application's own one must not change
-- tables. With outbox.history.partition, grant the rights on the history to the application's account instead.
CREATE USER IF NOT EXISTS 'outbox_partitions'@'%' IDENTIFIED BY 'change me as well';
GRANT SELECT, ALTER, DROP ON `outbox`.`outbox_history` TO 'outbox_partitions'@'%';
-- For "outbox partitions --apply", which records what it changes. A node does not.
GRANT SELECT, INSERT, UPDATE ON `outbox`.`outbox_audit` TO 'outbox_partitions'@'%';
