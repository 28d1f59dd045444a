import { enableTenantPolicy } from '#db/policies.ts'

/** Files, whose bytes are in the store, and files that come in parts. */
export const files = /* sql */ `
create table stored_file (
  coach_id bigint not null,
  id bigserial not null,
  key text not null,
  size bigint not null,
  content_type text not null,
  kind text not null,
  record_id bigint not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stored_file_key unique (coach_id, key),
  constraint stored_file_key_format check (key ~ '^[0-9]+/[0-9a-f]{32}$' and split_part(key, '/', 1) = coach_id::text),
  constraint stored_file_size_range check (size >= 0),
  constraint stored_file_kind_format check (kind ~ '^[a-z_]{1,63}$'),
  constraint stored_file_content_type_length check (char_length(content_type) <= 255)
);
create index stored_file_record on stored_file (coach_id, kind, record_id);
${enableTenantPolicy('stored_file')}

create table file_upload (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  size bigint not null,
  received bigint not null default 0,
  key text not null,
  store_id text not null,
  tags text[] not null default '{}',
  content_type text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint file_upload_key_format check (key ~ '^[0-9]+/[0-9a-f]{32}$' and split_part(key, '/', 1) = coach_id::text),
  constraint file_upload_size_range check (size >= 1 and received >= 0 and received <= size),
  constraint file_upload_content_type_complete check (content_type is null or received = size),
  constraint file_upload_name_length check (char_length(name) <= 255),
  constraint file_upload_content_type_length check (char_length(content_type) <= 255),
  constraint file_upload_store_id_length check (char_length(store_id) <= 2048)
);
create index file_upload_newest on file_upload (coach_id, created_at desc, id desc);
${enableTenantPolicy('file_upload')}
`
