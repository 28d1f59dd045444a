import { withHistory } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** Stages, prospects and what happened with them. */
export const pipeline = migration(
  'pipeline/0001-pipeline',
  /* sql */ `
create table "pipeline_stage" ("coach_id" bigint not null, "id" bigserial not null, "name" text not null, "color" text not null default '#3B82F6', "position" int not null, "alias" text null, "deleted_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
alter table "pipeline_stage" add constraint "pipeline_stage_alias_key" unique ("coach_id", "alias");
create table "prospect" ("coach_id" bigint not null, "id" bigserial not null, "name" text not null, "email" text null, "phone" text null, "location" text null, "profession" text null, "timezone" text null, "company" text null, "title" text null, "stage_id" bigint null, "position" bigint not null, "displaced_from_id" bigint null, "value" bigint not null default '0', "probability" int not null default 0, "source" text null, "notes" text null, "future_goals" text null, "frustrations" text null, "fears" text null, "failures" text null, "product_id" bigint null, "next_follow_up" timestamptz(3) null, "converted_at" timestamptz(3) null, "client_id" bigint null, "deleted_at" timestamptz(3) null, "version" int not null default 1, "search_text" text generated always as (search_key(name || chr(10) || coalesce(email, ''))) stored, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "prospect_board" on "prospect" (coach_id, stage_id, position, id) where deleted_at is null and converted_at is null;
create index "prospect_newest" on "prospect" (coach_id, created_at desc, id desc) where deleted_at is null and converted_at is null;
create index "prospect_of_client" on "prospect" ("coach_id", "client_id");
create table "pipeline_activity" ("coach_id" bigint not null, "id" bigserial not null, "prospect_id" bigint not null, "type" text not null, "description" text not null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "pipeline_activity_of_prospect" on "pipeline_activity" (coach_id, prospect_id, created_at desc, id desc);
alter table "pipeline_stage" add constraint "pipeline_stage_name_length" check (name <> '' and char_length(name) <= 255);
alter table "pipeline_stage" add constraint "pipeline_stage_color_shape" check (color ~ '^#[0-9a-fA-F]{6}$');
alter table "pipeline_stage" add constraint "pipeline_stage_position_range" check (position >= 0);
alter table "pipeline_stage" add constraint "pipeline_stage_alias_known" check (alias in ('lead', 'qualified', 'proposal', 'negotiation', 'closed_won'));
-- The accounts that are there already get their five stages; new ones get them when they are opened. Before row level security is on.
insert into pipeline_stage (coach_id, name, color, position, alias, created_at, updated_at)
  select account.id, stage.name, stage.color, stage.at - 1, stage.alias, account.created_at, account.created_at
  from account, unnest(
    array['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won'],
    array['#3B82F6', '#8B5CF6', '#D97706', '#DB2777', '#16A34A'],
    array['lead', 'qualified', 'proposal', 'negotiation', 'closed_won']
  ) with ordinality stage (name, color, alias, at)
  order by account.id, stage.at;
alter table "pipeline_stage" enable row level security;
alter table "pipeline_stage" force row level security;
create policy "pipeline_stage_tenant" on "pipeline_stage" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
alter table "prospect" add constraint "prospect_coach_id_stage_id_foreign" foreign key ("coach_id", "stage_id") references "pipeline_stage" ("coach_id", "id") on update no action on delete set null (stage_id);
alter table "prospect" add constraint "prospect_coach_id_displaced_from_id_foreign" foreign key ("coach_id", "displaced_from_id") references "pipeline_stage" ("coach_id", "id") on update no action on delete set null (displaced_from_id);
alter table "prospect" add constraint "prospect_coach_id_product_id_foreign" foreign key ("coach_id", "product_id") references "product" ("coach_id", "id") on update no action on delete set null (product_id);
alter table "prospect" add constraint "prospect_coach_id_client_id_foreign" foreign key ("coach_id", "client_id") references "client" ("coach_id", "id") on update no action on delete cascade;
alter table "prospect" add constraint "prospect_name_length" check (char_length(name) <= 255);
alter table "prospect" add constraint "prospect_phone_length" check (char_length(phone) <= 255);
alter table "prospect" add constraint "prospect_location_length" check (char_length(location) <= 255);
alter table "prospect" add constraint "prospect_profession_length" check (char_length(profession) <= 255);
alter table "prospect" add constraint "prospect_timezone_length" check (char_length(timezone) <= 255);
alter table "prospect" add constraint "prospect_company_length" check (char_length(company) <= 255);
alter table "prospect" add constraint "prospect_title_length" check (char_length(title) <= 255);
alter table "prospect" add constraint "prospect_source_length" check (char_length(source) <= 255);
alter table "prospect" add constraint "prospect_email_length" check (char_length(email) <= 254);
alter table "prospect" add constraint "prospect_notes_length" check (char_length(notes) <= 50000);
alter table "prospect" add constraint "prospect_future_goals_length" check (char_length(future_goals) <= 50000);
alter table "prospect" add constraint "prospect_frustrations_length" check (char_length(frustrations) <= 50000);
alter table "prospect" add constraint "prospect_fears_length" check (char_length(fears) <= 50000);
alter table "prospect" add constraint "prospect_failures_length" check (char_length(failures) <= 50000);
alter table "prospect" add constraint "prospect_name_present" check (name <> '');
alter table "prospect" add constraint "prospect_value_range" check (value >= 0 and value <= 9999999999);
alter table "prospect" add constraint "prospect_probability_range" check (probability >= 0 and probability <= 100);
alter table "prospect" add constraint "prospect_version_range" check (version >= 1);
alter table "prospect" add constraint "prospect_stands_somewhere" check (stage_id is not null or deleted_at is not null or converted_at is not null);
alter table "prospect" add constraint "prospect_converted_is_off_board" check (converted_at is null or stage_id is null);
alter table "prospect" add constraint "prospect_converted_has_client" check ((converted_at is null) = (client_id is null));
alter table "prospect" enable row level security;
alter table "prospect" force row level security;
create policy "prospect_tenant" on "prospect" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
alter table "pipeline_activity" add constraint "pipeline_activity_coach_id_prospect_id_foreign" foreign key ("coach_id", "prospect_id") references "prospect" ("coach_id", "id") on update no action on delete cascade;
alter table "pipeline_activity" add constraint "pipeline_activity_type_known" check (type in ('created', 'moved', 'edited', 'converted', 'deleted', 'restored'));
alter table "pipeline_activity" add constraint "pipeline_activity_description_length" check (char_length(description) <= 50000);
alter table "pipeline_activity" enable row level security;
alter table "pipeline_activity" force row level security;
create policy "pipeline_activity_tenant" on "pipeline_activity" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
${withHistory('pipeline_stage')}
${withHistory('prospect', ['position', 'displaced_from_id', 'version', 'converted_at'])}
`,
)
