-- Outboxed: tables for MySQL 8.0.11 or newer. Idempotent: run it as often as you like.
-- With another outbox.table-prefix replace the prefix of every name.

-- The work that is left. seq orders an aggregate; version counts the changes of the row; status 0 ready, 2 parked, 3 split;
-- only_handler = the replay of a dead letter, for this handler only.
CREATE TABLE IF NOT EXISTS outbox_message (
  seq BIGINT NOT NULL AUTO_INCREMENT,
  id BINARY(16) NOT NULL,
  shard SMALLINT NOT NULL,
  lane BIGINT NOT NULL,
  status SMALLINT NOT NULL DEFAULT 0,
  version INT NOT NULL DEFAULT 0,
  aggregate_type VARCHAR(255) NULL,
  aggregate_id VARCHAR(255) NULL,
  type VARCHAR(255) NOT NULL,
  payload LONGTEXT NULL,
  payload_binary LONGBLOB NULL,
  payload_size INT NOT NULL DEFAULT 0,
  headers LONGTEXT NULL,
  delay_micros BIGINT NOT NULL DEFAULT 0,
  registry_version BIGINT NOT NULL DEFAULT 0,
  starts INT NOT NULL DEFAULT 0,
  only_handler VARCHAR(255) NULL,
  created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (seq),
  KEY outbox_message_ready (shard, status, seq),
  KEY outbox_message_lane (lane, seq),
  KEY outbox_message_id (id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row per start of a node; state 0 alive, 1 left, 2 declared dead. Times are microseconds since 1970 UTC.
CREATE TABLE IF NOT EXISTS outbox_node (
  owner VARCHAR(64) NOT NULL,
  label VARCHAR(255) NOT NULL,
  registry_version BIGINT NOT NULL,
  beat BIGINT NOT NULL,
  beat_at BIGINT NOT NULL,
  state SMALLINT NOT NULL,
  PRIMARY KEY (owner)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Which node relays which shard.
CREATE TABLE IF NOT EXISTS outbox_shard (
  shard SMALLINT NOT NULL,
  owner VARCHAR(64) NULL,
  epoch BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (shard)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Rows that methods with @Outboxed(serialize = true) lock: each stands for the aggregates whose ids hash to it.
CREATE TABLE IF NOT EXISTS outbox_lock (
  slot SMALLINT NOT NULL,
  PRIMARY KEY (slot)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The handlers of each event type; messages stay in order within handler_group; registry_version = the one that brought it.
CREATE TABLE IF NOT EXISTS outbox_handler (
  type VARCHAR(255) NOT NULL,
  handler VARCHAR(255) NOT NULL,
  handler_group VARCHAR(255) NOT NULL,
  registry_version BIGINT NOT NULL,
  retired SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (type, handler)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What operators have paused: kind 0 everything, 1 the event type of that name, 2 the handler. Times are microseconds
-- since 1970 UTC.
CREATE TABLE IF NOT EXISTS outbox_pause (
  kind SMALLINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  paused_at BIGINT NOT NULL,
  paused_by VARCHAR(128) NOT NULL,
  reason VARCHAR(500) NOT NULL,
  PRIMARY KEY (kind, name)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What operators have changed, by API, command line or REST; message_id = the event, if it was one. Times are
-- microseconds since 1970 UTC.
CREATE TABLE IF NOT EXISTS outbox_audit (
  id BINARY(16) NOT NULL,
  changed_at BIGINT NOT NULL,
  changed_by VARCHAR(128) NOT NULL,
  changed_via VARCHAR(16) NOT NULL,
  reason VARCHAR(500) NOT NULL,
  action VARCHAR(32) NOT NULL,
  target VARCHAR(500) NOT NULL,
  message_id BINARY(16),
  changes BIGINT NOT NULL,
  PRIMARY KEY (id),
  KEY outbox_audit_changed (changed_at)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Bulk changes: kind 0 replay and 1 discard of dead letters, 2 retry of deliveries; state 0 running, 1 complete, 2
-- cancelled; reached = the page that was done last. Times are microseconds since 1970 UTC.
CREATE TABLE IF NOT EXISTS outbox_operation (
  id BINARY(16) NOT NULL,
  kind SMALLINT NOT NULL,
  state SMALLINT NOT NULL DEFAULT 0,
  only_message VARCHAR(36) NULL,
  handler VARCHAR(255) NULL,
  type VARCHAR(255) NULL,
  aggregate_type VARCHAR(255) NULL,
  aggregate_id VARCHAR(255) NULL,
  error_text VARCHAR(1000) NULL,
  error_kind VARCHAR(255) NULL,
  died_since BIGINT NOT NULL,
  died_until BIGINT NOT NULL,
  blocking SMALLINT NOT NULL,
  accept_order SMALLINT NOT NULL,
  per_second INTEGER NOT NULL,
  matched BIGINT NOT NULL,
  changes BIGINT NOT NULL DEFAULT 0,
  reached VARCHAR(400) NULL,
  started_at BIGINT NOT NULL,
  started_by VARCHAR(128) NOT NULL,
  started_via VARCHAR(16) NOT NULL,
  reason VARCHAR(500) NOT NULL,
  ended_at BIGINT NULL,
  PRIMARY KEY (id),
  KEY outbox_operation_ended (ended_at)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Numbers that all nodes share: schema and registry version, count of shards.
CREATE TABLE IF NOT EXISTS outbox_meta (
  name VARCHAR(64) NOT NULL,
  setting BIGINT NOT NULL,
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Lanes that nodes have in memory; only with outbox.relay.claim=row-lock.
CREATE TABLE IF NOT EXISTS outbox_claim (
  lane BIGINT NOT NULL,
  owner VARCHAR(64) NOT NULL,
  PRIMARY KEY (lane)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What waits in a lane, for a handler group (or '*' the whole lane, '?' no handler known); resume_at NULL until an operator
-- acts, else due_at of what comes first.
CREATE TABLE IF NOT EXISTS outbox_lane (
  lane BIGINT NOT NULL,
  handler_group VARCHAR(255) NOT NULL,
  shard SMALLINT NOT NULL,
  resume_at BIGINT NULL,
  PRIMARY KEY (lane, handler_group),
  KEY outbox_lane_resume (shard, resume_at)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Only where the handlers of one message differ; state 0 waiting, 1 done, 2 blocked.
CREATE TABLE IF NOT EXISTS outbox_delivery (
  message_id BINARY(16) NOT NULL,
  handler VARCHAR(255) NOT NULL,
  handler_group VARCHAR(255) NOT NULL DEFAULT '',
  seq BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  shard SMALLINT NOT NULL,
  state SMALLINT NOT NULL,
  attempts INT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL DEFAULT 0,
  last_error VARCHAR(1000) NULL,
  PRIMARY KEY (message_id, handler),
  KEY outbox_delivery_lane (lane, handler_group, seq)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Dead letters, until replayed or discarded; blocking 1 = the delivery itself still waits in its lane.
CREATE TABLE IF NOT EXISTS outbox_dead (
  message_id BINARY(16) NOT NULL,
  handler VARCHAR(255) NOT NULL,
  handler_group VARCHAR(255) NOT NULL,
  seq BIGINT NOT NULL,
  shard SMALLINT NOT NULL,
  lane BIGINT NOT NULL,
  aggregate_type VARCHAR(255) NULL,
  aggregate_id VARCHAR(255) NULL,
  type VARCHAR(255) NOT NULL,
  payload LONGTEXT NULL,
  payload_binary LONGBLOB NULL,
  payload_size INT NOT NULL,
  headers LONGTEXT NULL,
  registry_version BIGINT NOT NULL,
  created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  attempts INT NOT NULL,
  error VARCHAR(4000) NULL,
  died_at BIGINT NOT NULL,
  blocking SMALLINT NOT NULL,
  PRIMARY KEY (message_id, handler),
  KEY outbox_dead_died (died_at),
  KEY outbox_dead_handler (handler, died_at),
  KEY outbox_dead_type (type, died_at),
  KEY outbox_dead_aggregate (aggregate_id, died_at),
  KEY outbox_dead_blocking (blocking, died_at)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What has happened once: a receiver's effect for a message, or an event of a type with a publish key; first_call =
-- the id of the stored event, or a random one. Times are microseconds since 1970 UTC.
CREATE TABLE IF NOT EXISTS outbox_inbox (
  receiver VARCHAR(255) NOT NULL,
  message_id VARCHAR(255) NOT NULL,
  first_call BINARY(16) NOT NULL,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (receiver, message_id),
  KEY outbox_inbox_received (received_at)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Processed messages, only with outbox.on-success=keep.
CREATE TABLE IF NOT EXISTS outbox_history (
  id BINARY(16) NOT NULL,
  processed_at BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  shard SMALLINT NOT NULL,
  lane BIGINT NOT NULL,
  aggregate_type VARCHAR(255) NULL,
  aggregate_id VARCHAR(255) NULL,
  type VARCHAR(255) NOT NULL,
  payload LONGTEXT NULL,
  payload_binary LONGBLOB NULL,
  payload_size INT NOT NULL,
  headers LONGTEXT NULL,
  delay_micros BIGINT NOT NULL,
  registry_version BIGINT NOT NULL,
  created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (id, processed_at),
  KEY outbox_history_processed (processed_at)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
PARTITION BY RANGE (processed_at) (PARTITION pmax VALUES LESS THAN MAXVALUE);

INSERT IGNORE INTO outbox_meta (name, setting) VALUES ('schema', 1), ('shards', 64), ('registry', 0), ('probe', 0);

INSERT IGNORE INTO outbox_shard (shard) VALUES
  (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
  (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30), (31),
  (32), (33), (34), (35), (36), (37), (38), (39), (40), (41), (42), (43), (44), (45), (46), (47),
  (48), (49), (50), (51), (52), (53), (54), (55), (56), (57), (58), (59), (60), (61), (62), (63);

INSERT IGNORE INTO outbox_lock (slot)
  SELECT a.shard * 16 + b.shard FROM outbox_shard a JOIN outbox_shard b ON b.shard < 16;
