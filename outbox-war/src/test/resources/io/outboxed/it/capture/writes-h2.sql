CREATE TABLE it_write (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  kind VARCHAR(20) NOT NULL,
  about VARCHAR(50),
  session_id BIGINT NOT NULL)

CREATE TRIGGER it_write_message BEFORE INSERT ON outbox_message
  FOR EACH ROW CALL 'io.outboxed.it.capture.H2WriteTrigger'

CREATE TRIGGER it_write_booking BEFORE INSERT ON it_booking
  FOR EACH ROW CALL 'io.outboxed.it.capture.H2WriteTrigger'

CREATE TRIGGER it_write_account BEFORE UPDATE ON it_account
  FOR EACH ROW CALL 'io.outboxed.it.capture.H2WriteTrigger'
