-- Before the first start of the connector, as a superuser, in the database of the outbox. Needs wal_level=logical.
-- With another outbox.table-prefix or schema replace public.outbox_message, here and in postgresql.properties.
CREATE ROLE debezium LOGIN REPLICATION PASSWORD 'change-me';
GRANT SELECT ON public.outbox_message TO debezium;
CREATE PUBLICATION outbox FOR TABLE public.outbox_message WITH (publish = 'insert');
