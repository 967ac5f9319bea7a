create table if not exists shop_order (
  id       bigint       not null auto_increment primary key,
  customer varchar(200) not null,
  item     varchar(100) not null,
  quantity int          not null,
  status   varchar(16)  not null,
  version  int          not null,
  key shop_order_status (status)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

create table if not exists shop_shipment (
  id        bigint       not null auto_increment primary key,
  order_id  bigint       not null,
  item      varchar(100) not null,
  quantity  int          not null,
  direction varchar(16)  not null,
  key shop_shipment_order (order_id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

create table if not exists shop_mail (
  id         bigint       not null auto_increment primary key,
  order_id   bigint       not null,
  message_id varchar(36)   not null,
  subject    varchar(100) not null,
  attempt    int          not null,
  key shop_mail_order (order_id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;
