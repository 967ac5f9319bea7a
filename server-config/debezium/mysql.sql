-- Before the first start of the connector, once the tables exist, as an administrator. Needs a binary log with
-- binlog_format=ROW and binlog_row_image=FULL, the defaults of MySQL 8.
-- With another database or outbox.table-prefix replace outbox.outbox_message, here and in mysql.properties.
CREATE USER debezium@'%' IDENTIFIED BY 'change-me';
GRANT SELECT ON outbox.outbox_message TO debezium@'%';
-- MySQL grants these for the whole server only: they read the log, and lock tables for a moment during the snapshot
GRANT RELOAD, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO debezium@'%';
