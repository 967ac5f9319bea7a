CREATE TABLE it_write (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind VARCHAR(20) NOT NULL,
  about VARCHAR(50),
  session_id BIGINT NOT NULL)

CREATE FUNCTION it_write() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO it_write (kind, about, session_id)
  VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1], pg_backend_pid());
  RETURN NEW;
END $$

CREATE TRIGGER it_write_message BEFORE INSERT ON outbox_message
  FOR EACH ROW EXECUTE FUNCTION it_write('outbox', 'aggregate_id')

CREATE TRIGGER it_write_booking BEFORE INSERT ON it_booking
  FOR EACH ROW EXECUTE FUNCTION it_write('business', 'account')

CREATE TRIGGER it_write_account BEFORE UPDATE ON it_account
  FOR EACH ROW EXECUTE FUNCTION it_write('business', 'id')
