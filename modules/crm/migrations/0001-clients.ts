import { migration } from '#db/migration.ts'

/** Clients, and the activity of the practice. */
export const clients = migration(
  'crm/0001-clients',
  /* sql */ `
create table "client" ("coach_id" bigint not null, "id" bigserial not null, "name" text not null, "email" text not null, "phone" text null, "location" text null, "profession" text null, "timezone" text null, "program" text null, "status" text not null default 'active', "progress" int not null default 0, "goals" text null, "notes" text null, "future_goals" text null, "frustrations" text null, "fears" text null, "failures" text null, "converted_at" timestamptz(3) null, "converted_from_prospect_id" bigint null, "total_spent" bigint not null default '0', "archived_at" timestamptz(3) null, "deleted_at" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "client_current" on "client" (coach_id, created_at desc, id desc) where deleted_at is null and archived_at is null;
create index "client_trash" on "client" (coach_id, deleted_at) where deleted_at is not null;
alter table "client" add constraint "client_name_length" check (char_length(name) <= 255);
alter table "client" add constraint "client_phone_length" check (char_length(phone) <= 255);
alter table "client" add constraint "client_location_length" check (char_length(location) <= 255);
alter table "client" add constraint "client_profession_length" check (char_length(profession) <= 255);
alter table "client" add constraint "client_timezone_length" check (char_length(timezone) <= 255);
alter table "client" add constraint "client_program_length" check (char_length(program) <= 255);
alter table "client" add constraint "client_email_length" check (char_length(email) <= 254);
alter table "client" add constraint "client_goals_length" check (char_length(goals) <= 50000);
alter table "client" add constraint "client_notes_length" check (char_length(notes) <= 50000);
alter table "client" add constraint "client_future_goals_length" check (char_length(future_goals) <= 50000);
alter table "client" add constraint "client_frustrations_length" check (char_length(frustrations) <= 50000);
alter table "client" add constraint "client_fears_length" check (char_length(fears) <= 50000);
alter table "client" add constraint "client_failures_length" check (char_length(failures) <= 50000);
alter table "client" add constraint "client_name_present" check (name <> '');
alter table "client" add constraint "client_email_present" check (email <> '');
alter table "client" add constraint "client_status_known" check (status in ('active', 'inactive', 'completed', 'pending'));
alter table "client" add constraint "client_progress_range" check (progress >= 0 and progress <= 100);
alter table "client" add constraint "client_total_spent_range" check (total_spent >= 0);
alter table "client" add constraint "client_version_range" check (version >= 1);
create table "activity" ("coach_id" bigint not null, "id" bigserial not null, "type" text not null, "title" text not null, "description" text null, "client_id" bigint null, "created_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "activity_newest" on "activity" (coach_id, created_at desc, id desc);
create index "activity_of_client" on "activity" ("coach_id", "client_id");
alter table "activity" add constraint "activity_type_shape" check (type ~ '^[a-z]+(_[a-z]+)*$' and char_length(type) <= 60);
alter table "activity" add constraint "activity_title_length" check (char_length(title) <= 255);
alter table "activity" add constraint "activity_description_length" check (char_length(description) <= 50000);
alter table "activity" add constraint "activity_coach_id_client_id_foreign" foreign key ("coach_id", "client_id") references "client" ("coach_id", "id") on update no action on delete cascade;
alter table "client" enable row level security;
alter table "client" force row level security;
create policy "client_tenant" on "client" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
alter table "activity" enable row level security;
alter table "activity" force row level security;
create policy "activity_tenant" on "activity" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
`,
)
