import { migration } from '#db/migration.ts'

/** Logos that coaches upload. */
export const uploads = migration(
  'house/0004-uploads',
  /* sql */ `
create table "upload" ("coach_id" bigint not null, "id" bigserial not null, "key" text not null, "content_type" text not null, "content" bytea not null, "created_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "upload_key" on "upload" ("key");
alter table "upload" add constraint "upload_one_each" unique ("coach_id");
alter table "upload" add constraint "upload_key_shape" check (key ~ '^[0-9a-f]{32}$');
alter table "upload" add constraint "upload_content_type_known" check (content_type in ('image/png', 'image/jpeg', 'image/svg+xml'));
alter table "upload" add constraint "upload_content_size" check (octet_length(content) <= 5242880);
alter table "upload" enable row level security;
alter table "upload" force row level security;
create policy "upload_tenant" on "upload" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
create policy "upload_lookup" on "upload" for select to "practice_lookup" using (true);
grant select on "upload" to practice_lookup;

-- A picture that a page shows, by a key that cannot be guessed.
create function uploaded(wanted text) returns table (content_type text, content bytea)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select u.content_type, u.content from upload u join account a on a.id = u.coach_id where u.key = wanted and a.removed_at is null;
end $$;
alter function uploaded(text) owner to practice_lookup;
revoke all on function uploaded(text) from public;
grant execute on function uploaded(text) to practice_app;
`,
)
