-- Outboxed: changes the tables of layout 0 (snapshots before 2026-11-21) on H2. No node may run.
-- Each statement is atomic. If one fails, fix the cause and continue with it.
-- The schema file follows: it adds new tables and indexes.

ALTER TABLE outbox_message ALTER COLUMN attempts RENAME TO version;
ALTER TABLE outbox_message ALTER COLUMN registry RENAME TO registry_version;
ALTER TABLE outbox_message ADD COLUMN only_handler CHARACTER VARYING(255) BEFORE created_at;

ALTER TABLE outbox_node ALTER COLUMN generation RENAME TO registry_version;

-- Messages were in order for each handler: each becomes a group of its own, until a deployment registers its group.
ALTER TABLE outbox_handler ALTER COLUMN since RENAME TO registry_version;
ALTER TABLE outbox_handler ADD COLUMN handler_group CHARACTER VARYING(255) AFTER handler;
UPDATE outbox_handler SET handler_group = handler;
ALTER TABLE outbox_handler ALTER COLUMN handler_group SET NOT NULL;

ALTER TABLE outbox_lane ALTER COLUMN handler RENAME TO handler_group;

ALTER TABLE outbox_delivery ADD COLUMN handler_group CHARACTER VARYING(255) DEFAULT '' NOT NULL AFTER handler;
ALTER TABLE outbox_delivery ADD COLUMN due_at BIGINT DEFAULT 0 NOT NULL AFTER attempts;
UPDATE outbox_delivery SET handler_group = handler;
DROP INDEX outbox_delivery_lane;

ALTER TABLE outbox_dead ALTER COLUMN registry RENAME TO registry_version;
ALTER TABLE outbox_dead ALTER COLUMN blocked RENAME TO blocking;
ALTER TABLE outbox_dead ADD COLUMN handler_group CHARACTER VARYING(255) AFTER handler;
UPDATE outbox_dead SET handler_group = handler;
ALTER TABLE outbox_dead ALTER COLUMN handler_group SET NOT NULL;

ALTER TABLE outbox_history ALTER COLUMN registry RENAME TO registry_version;
