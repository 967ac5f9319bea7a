CREATE TABLE it_write (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  kind VARCHAR(20) NOT NULL,
  about VARCHAR(50),
  session_id BIGINT NOT NULL)

CREATE TRIGGER it_write_message BEFORE INSERT ON outbox_message FOR EACH ROW
  INSERT INTO it_write (kind, about, session_id) VALUES ('outbox', NEW.aggregate_id, CONNECTION_ID())

CREATE TRIGGER it_write_booking BEFORE INSERT ON it_booking FOR EACH ROW
  INSERT INTO it_write (kind, about, session_id) VALUES ('business', NEW.account, CONNECTION_ID())

CREATE TRIGGER it_write_account BEFORE UPDATE ON it_account FOR EACH ROW
  INSERT INTO it_write (kind, about, session_id) VALUES ('business', NEW.id, CONNECTION_ID())
