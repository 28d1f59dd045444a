import { withHistory } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** Appointments and their types. */
export const appointments = migration(
  'scheduling/0001-appointments',
  /* sql */ `
create table "appointment_type" ("coach_id" bigint not null, "id" bigserial not null, "name" text not null, "deleted_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create unique index "appointment_type_name_key" on "appointment_type" (coach_id, lower(name)) where deleted_at is null;
alter table "appointment_type" add constraint "appointment_type_name_length" check (name <> '' and char_length(name) <= 255);
create table "appointment" ("coach_id" bigint not null, "id" bigserial not null, "client_id" bigint null, "prospect_id" bigint null, "appointment_type_id" bigint null, "title" text not null, "description" text null, "start_time" timestamptz(3) not null, "end_time" timestamptz(3) not null, "timezone" text not null, "status" text not null default 'scheduled', "meeting_url" text null, "completed_at" timestamptz(3) null, "session_notes" text null, "deleted_at" timestamptz(3) null, "version" int not null default 1, "search_text" text generated always as (search_key(title)) stored, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "appointment_by_start" on "appointment" (coach_id, start_time, id) where deleted_at is null;
create index "appointment_of_client" on "appointment" (coach_id, client_id, start_time) where client_id is not null;
create index "appointment_of_prospect" on "appointment" (coach_id, prospect_id) where prospect_id is not null;
alter table "appointment" add constraint "appointment_with_one" check (num_nonnulls(client_id, prospect_id) = 1);
alter table "appointment" add constraint "appointment_title_length" check (title <> '' and char_length(title) <= 255);
alter table "appointment" add constraint "appointment_description_length" check (char_length(description) <= 50000);
alter table "appointment" add constraint "appointment_session_notes_length" check (char_length(session_notes) <= 50000);
alter table "appointment" add constraint "appointment_ends_after_start" check (end_time > start_time);
alter table "appointment" add constraint "appointment_timezone_length" check (char_length(timezone) <= 255);
alter table "appointment" add constraint "appointment_status_known" check (status in ('scheduled', 'confirmed', 'completed', 'cancelled'));
alter table "appointment" add constraint "appointment_meeting_url_shape" check (meeting_url ~* '^https://' and char_length(meeting_url) <= 2000);
alter table "appointment" add constraint "appointment_completed_says_so" check (completed_at is null or status = 'completed');
alter table "appointment" add constraint "appointment_version_range" check (version >= 1);
alter table "appointment" add constraint "appointment_coach_id_client_id_foreign" foreign key ("coach_id", "client_id") references "client" ("coach_id", "id") on update no action on delete cascade;
alter table "appointment" add constraint "appointment_coach_id_prospect_id_foreign" foreign key ("coach_id", "prospect_id") references "prospect" ("coach_id", "id") on update no action on delete cascade;
alter table "appointment" add constraint "appointment_coach_id_appointment_type_id_foreign" foreign key ("coach_id", "appointment_type_id") references "appointment_type" ("coach_id", "id") on update no action on delete set null (appointment_type_id);
alter table "appointment_type" enable row level security;
alter table "appointment_type" force row level security;
create policy "appointment_type_tenant" on "appointment_type" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
alter table "appointment" enable row level security;
alter table "appointment" force row level security;
create policy "appointment_tenant" on "appointment" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
${withHistory('appointment_type')}
${withHistory('appointment', ['version'])}
`,
)
