-- Outboxed: changes the tables of layout 0 (snapshots before 2026-11-21) on PostgreSQL. No node may run.
-- Run it in one transaction (psql --single-transaction). The schema file follows: it adds new tables and indexes.

ALTER TABLE outbox_message RENAME COLUMN attempts TO version;
ALTER TABLE outbox_message RENAME COLUMN registry TO registry_version;
ALTER TABLE outbox_message ADD COLUMN only_handler VARCHAR(255);

ALTER TABLE outbox_node RENAME COLUMN generation TO registry_version;

-- Messages were in order for each handler: each becomes a group of its own, until a deployment registers its group.
ALTER TABLE outbox_handler RENAME COLUMN since TO registry_version;
ALTER TABLE outbox_handler ADD COLUMN handler_group VARCHAR(255);
UPDATE outbox_handler SET handler_group = handler;
ALTER TABLE outbox_handler ALTER COLUMN handler_group SET NOT NULL;

ALTER TABLE outbox_lane RENAME COLUMN handler TO handler_group;

ALTER TABLE outbox_delivery ADD COLUMN handler_group VARCHAR(255) NOT NULL DEFAULT '';
ALTER TABLE outbox_delivery ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
UPDATE outbox_delivery SET handler_group = handler;
DROP INDEX outbox_delivery_lane;

ALTER TABLE outbox_dead RENAME COLUMN registry TO registry_version;
ALTER TABLE outbox_dead RENAME COLUMN blocked TO blocking;
ALTER TABLE outbox_dead ADD COLUMN handler_group VARCHAR(255);
UPDATE outbox_dead SET handler_group = handler;
ALTER TABLE outbox_dead ALTER COLUMN handler_group SET NOT NULL;

ALTER TABLE outbox_history RENAME COLUMN registry TO registry_version;
