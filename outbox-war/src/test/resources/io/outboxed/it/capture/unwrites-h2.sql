DROP TRIGGER IF EXISTS it_write_message

DROP TRIGGER IF EXISTS it_write_booking

DROP TRIGGER IF EXISTS it_write_account

DROP TABLE IF EXISTS it_write
