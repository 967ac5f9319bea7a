-- Before the first start of the connector. Needs a binary log with binlog_format=ROW and binlog_row_image=FULL, the
-- defaults of MySQL 8.
CREATE USER debezium@'%' IDENTIFIED BY 'change-me';
GRANT SELECT ON *.* TO debezium@'%';
GRANT RELOAD, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT, LOCK TABLES ON *.* TO debezium@'%';
