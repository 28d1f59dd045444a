import { migration } from '#db/migration.ts'

/** Files of clients on their way in. */
export const imports = migration(
  'crm/0002-imports',
  /* sql */ `
create index "client_email" on "client" (coach_id, lower(email)) where deleted_at is null;
create table "client_import" ("coach_id" bigint not null, "id" bigserial not null, "file_name" text not null, "content" bytea not null, "encoding" text null, "source" text null, "mapping" jsonb not null, "status" text not null, "total" int not null, "position" int not null default 0, "created" int not null default 0, "duplicates" int not null default 0, "failed" int not null default 0, "left_out" int not null default 0, "full_at" int null, "finished_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
alter table "client_import" add constraint "client_import_file_name_length" check (char_length(file_name) <= 255);
alter table "client_import" add constraint "client_import_content_size" check (octet_length(content) <= 10485760);
alter table "client_import" add constraint "client_import_status_known" check (status in ('mapping', 'ready', 'running', 'done'));
alter table "client_import" add constraint "client_import_position_range" check (position >= 0 and position <= total);
alter table "client_import" add constraint "client_import_counts" check (created + duplicates + failed + left_out = position);
alter table "client_import" enable row level security;
alter table "client_import" force row level security;
create policy "client_import_tenant" on "client_import" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
`,
)
