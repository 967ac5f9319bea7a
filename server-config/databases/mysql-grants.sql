-- Two accounts for MySQL 8 (and MariaDB): one that changes tables, used at deployments only, and one that the
-- application runs with. Replace the names of the database and of the hosts, and the passwords. With another
-- outbox.table-prefix replace the tables' names too.
--
-- The migrator runs outbox-cdi/src/main/resources/io/outboxed/schema/mysql.sql; the application then has
-- outbox.schema=verify, because it may not create tables. Run the second part after the tables exist.

CREATE USER IF NOT EXISTS 'outbox_migrator'@'%' IDENTIFIED BY 'change me, too';
GRANT CREATE, ALTER, DROP, INDEX, REFERENCES, SELECT, INSERT, UPDATE, DELETE ON `outbox`.* TO 'outbox_migrator'@'%';

CREATE USER IF NOT EXISTS 'outbox_app'@'%' IDENTIFIED BY 'change me';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_message` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_node` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_shard` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_lock` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_handler` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_meta` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_lane` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_delivery` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_dead` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_inbox` TO 'outbox_app'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `outbox`.`outbox_history` TO 'outbox_app'@'%';

-- The application's own tables are changed in the same transactions by the same account: grant it what they need here.
