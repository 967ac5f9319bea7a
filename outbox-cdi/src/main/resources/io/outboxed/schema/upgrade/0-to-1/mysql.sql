-- Outboxed: changes the tables of layout 0 (snapshots before 2026-11-21) on MySQL and MariaDB. No node may run.
-- Each statement is atomic. If one fails, fix the cause and continue with it.
-- The schema file follows: it adds new tables.

ALTER TABLE outbox_message
  RENAME COLUMN attempts TO version,
  RENAME COLUMN registry TO registry_version,
  ADD COLUMN only_handler VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL AFTER starts;

ALTER TABLE outbox_node RENAME COLUMN generation TO registry_version;

-- Messages were in order for each handler: each becomes a group of its own, until a deployment registers its group.
ALTER TABLE outbox_handler
  RENAME COLUMN since TO registry_version,
  ADD COLUMN handler_group VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL AFTER handler;
UPDATE outbox_handler SET handler_group = handler;

ALTER TABLE outbox_lane RENAME COLUMN handler TO handler_group;

ALTER TABLE outbox_delivery
  ADD COLUMN handler_group VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '' AFTER handler,
  ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0 AFTER attempts,
  DROP INDEX outbox_delivery_lane,
  ADD INDEX outbox_delivery_lane (lane, handler_group, seq);
UPDATE outbox_delivery SET handler_group = handler;

ALTER TABLE outbox_dead
  RENAME COLUMN registry TO registry_version,
  RENAME COLUMN blocked TO blocking,
  ADD COLUMN handler_group VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL AFTER handler,
  ADD INDEX outbox_dead_handler (handler, died_at),
  ADD INDEX outbox_dead_type (type, died_at),
  ADD INDEX outbox_dead_aggregate (aggregate_id, died_at),
  ADD INDEX outbox_dead_blocking (blocking, died_at);
UPDATE outbox_dead SET handler_group = handler;

ALTER TABLE outbox_history
  RENAME COLUMN registry TO registry_version,
  ADD INDEX outbox_history_processed (processed_at);
