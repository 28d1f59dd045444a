import { migration } from '#db/migration.ts'

/** Contacts with clients. */
export const interactions = migration(
  'crm/0005-interactions',
  /* sql */ `
create table "client_interaction" ("coach_id" bigint not null, "id" bigserial not null, "client_id" bigint not null, "appointment_id" bigint null, "name" text not null, "content" text null, "summary" text null, "source" text not null default 'manual', "interaction_date" timestamptz(3) not null, "deleted_at" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "client_interaction_of_client" on "client_interaction" (coach_id, client_id, interaction_date desc, id desc) where deleted_at is null;
create index "client_interaction_newest" on "client_interaction" (coach_id, interaction_date desc, id desc) where deleted_at is null;
alter table "client_interaction" add constraint "client_interaction_name_length" check (name <> '' and char_length(name) <= 255);
alter table "client_interaction" add constraint "client_interaction_content_length" check (char_length(content) <= 50000);
alter table "client_interaction" add constraint "client_interaction_summary_length" check (char_length(summary) <= 50000);
alter table "client_interaction" add constraint "client_interaction_source_shape" check (source ~ '^[a-z]+(_[a-z]+)*$' and char_length(source) <= 60);
alter table "client_interaction" add constraint "client_interaction_version_range" check (version >= 1);
alter table "client_interaction" add constraint "client_interaction_coach_id_client_id_foreign" foreign key ("coach_id", "client_id") references "client" ("coach_id", "id") on update no action on delete cascade;
alter table "client_interaction" enable row level security;
alter table "client_interaction" force row level security;
create policy "client_interaction_tenant" on "client_interaction" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
`,
)
