import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Without the module pipeline, the next ones refer to a table that is missing: 0005 removes this one.
  migration(
    'scheduling/0000-without-prospects',
    /* sql */ `
do $$ begin
  if to_regclass('prospect') is null then
    create table prospect (coach_id bigint, id bigint, deleted_at timestamptz(3), primary key (coach_id, id));
    comment on table prospect is 'replacement';
  end if;
end $$;
`,
  ),
  // Appointments and their types.
  migration(
    'scheduling/0001-initial',
    /* sql */ `
create table appointment_type (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint appointment_type_name_length check (name <> '' and char_length(name) <= 255)
);
create unique index appointment_type_name_key on appointment_type (coach_id, lower(name)) where deleted_at is null;
${enableTenantPolicy('appointment_type')}
${addHistoryTrigger('appointment_type')}

create table appointment (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  prospect_id bigint,
  appointment_type_id bigint,
  title text not null,
  description text,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  timezone text not null,
  status text not null default 'scheduled',
  meeting_url text,
  completed_at timestamptz(3),
  session_notes text,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(title)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint appointment_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint appointment_coach_id_prospect_id_foreign foreign key (coach_id, prospect_id)
    references prospect (coach_id, id) on delete cascade,
  constraint appointment_coach_id_appointment_type_id_foreign foreign key (coach_id, appointment_type_id)
    references appointment_type (coach_id, id),
  constraint appointment_client_or_prospect check (num_nonnulls(client_id, prospect_id) = 1),
  constraint appointment_title_length check (title <> '' and char_length(title) <= 255),
  constraint appointment_description_length check (char_length(description) <= 50000),
  constraint appointment_session_notes_length check (char_length(session_notes) <= 50000),
  constraint appointment_ends_after_start check (end_time > start_time),
  constraint appointment_timezone_length check (char_length(timezone) <= 255),
  constraint appointment_status_allowed check (status in ('scheduled', 'confirmed', 'completed', 'cancelled')),
  constraint appointment_meeting_url_format check (meeting_url ~* '^https://' and char_length(meeting_url) <= 2000),
  constraint appointment_completed_status check (completed_at is null or status = 'completed'),
  constraint appointment_version_range check (version >= 1)
);
create index appointment_start on appointment (coach_id, start_time, id) where deleted_at is null;
create index appointment_client on appointment (coach_id, client_id, start_time) where client_id is not null;
create index appointment_prospect on appointment (coach_id, prospect_id) where prospect_id is not null;
${enableTenantPolicy('appointment')}
${addHistoryTrigger('appointment', ['version'])}
${indexContent('appointment', ['description', 'session_notes'])}
`,
  ),
  // Working hours, what visitors can book, and the times that are taken.
  migration(
    'scheduling/0002-booking',
    /* sql */ `
create extension if not exists btree_gist;

create table availability_schedule (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  is_default boolean not null default false,
  timezone text,
  buffer_before int not null default 0,
  buffer_after int not null default 0,
  minimum_notice_minutes int not null default 0,
  booking_window_days int not null default 60,
  daily_limit int,
  weekly_limit int,
  slot_interval_minutes int,
  hours text not null default '',
  overrides text not null default '',
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint availability_schedule_name_length check (name <> '' and char_length(name) <= 255),
  constraint availability_schedule_timezone_length check (char_length(timezone) <= 255),
  constraint availability_schedule_ranges check (
    buffer_before >= 0 and buffer_before <= 480 and buffer_after >= 0 and buffer_after <= 480
    and minimum_notice_minutes >= 0 and booking_window_days >= 1 and daily_limit >= 1 and weekly_limit >= 1 and slot_interval_minutes >= 5),
  constraint availability_schedule_version_range check (version >= 1)
);
create unique index availability_schedule_default on availability_schedule (coach_id)
  where is_default and deleted_at is null;
create unique index availability_schedule_name_key on availability_schedule (coach_id, lower(name))
  where deleted_at is null;
${enableTenantPolicy('availability_schedule')}
${addHistoryTrigger('availability_schedule', ['version'])}

create table availability_range (
  coach_id bigint not null,
  id bigserial not null,
  schedule_id bigint not null,
  weekday int not null,
  start_minute int not null,
  end_minute int not null,
  primary key (coach_id, id),
  constraint availability_range_coach_id_schedule_id_foreign foreign key (coach_id, schedule_id)
    references availability_schedule (coach_id, id) on delete cascade,
  constraint availability_range_weekday check (weekday >= 0 and weekday <= 6),
  constraint availability_range_minutes check (
    start_minute >= 0 and end_minute > start_minute and end_minute <= 1440)
);
create index availability_range_schedule on availability_range (coach_id, schedule_id);
${enableTenantPolicy('availability_range')}

create table availability_override (
  coach_id bigint not null,
  id bigserial not null,
  schedule_id bigint not null,
  date date not null,
  start_minute int,
  end_minute int,
  primary key (coach_id, id),
  constraint availability_override_coach_id_schedule_id_foreign foreign key (coach_id, schedule_id)
    references availability_schedule (coach_id, id) on delete cascade,
  constraint availability_override_day_off check (num_nulls(start_minute, end_minute) in (0, 2)),
  constraint availability_override_minutes check (
    start_minute >= 0 and end_minute > start_minute and end_minute <= 1440)
);
create index availability_override_schedule on availability_override (coach_id, schedule_id, date);
${enableTenantPolicy('availability_override')}

alter table appointment_type
  add column slug text,
  add column description text,
  add column color text,
  add column durations int[] not null default '{60}',
  add column location_kind text not null default 'none',
  add column location_detail text,
  add column price_cents bigint,
  add column questions jsonb not null default '[]',
  add column visibility text not null default 'hidden',
  add column confirmation text not null default 'instant',
  add column new_visitor text not null default 'prospect',
  add column buffer_before int,
  add column buffer_after int,
  add column minimum_notice_minutes int,
  add column booking_window_days int,
  add column daily_limit int,
  add column weekly_limit int,
  add column slot_interval_minutes int,
  add column cancellation_notice_minutes int,
  add column schedule_id bigint,
  add constraint appointment_type_coach_id_schedule_id_foreign foreign key (coach_id, schedule_id)
    references availability_schedule (coach_id, id),
  add constraint appointment_type_slug_format check (
    slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60),
  add constraint appointment_type_description_length check (char_length(description) <= 2000),
  add constraint appointment_type_color_format check (color ~ '^#[0-9a-fA-F]{6}$'),
  add constraint appointment_type_durations check (
    cardinality(durations) >= 1 and cardinality(durations) <= 6 and 5 <= all (durations) and 1440 >= all (durations)),
  add constraint appointment_type_location_kind_allowed check (
    location_kind in ('none', 'video', 'phone', 'in_person', 'client_choice')),
  add constraint appointment_type_location_detail_length check (char_length(location_detail) <= 500),
  add constraint appointment_type_price_cents_range check (price_cents >= 0),
  add constraint appointment_type_visibility_allowed check (visibility in ('hidden', 'link', 'public')),
  add constraint appointment_type_bookable_slug check (visibility = 'hidden' or slug is not null),
  add constraint appointment_type_confirmation_allowed check (confirmation in ('instant', 'manual')),
  add constraint appointment_type_new_visitor_allowed check (new_visitor in ('prospect', 'client')),
  add constraint appointment_type_ranges check (
    buffer_before >= 0 and buffer_before <= 480 and buffer_after >= 0 and buffer_after <= 480
    and minimum_notice_minutes >= 0 and booking_window_days >= 1 and daily_limit >= 1 and weekly_limit >= 1 and slot_interval_minutes >= 5
    and cancellation_notice_minutes >= 0);
create unique index appointment_type_slug_key on appointment_type (coach_id, slug) where deleted_at is null;
create index appointment_type_schedule on appointment_type (coach_id, schedule_id) where schedule_id is not null;

alter table appointment
  add column booked_online boolean not null default false,
  add column location text,
  add column answers jsonb not null default '[]',
  add constraint appointment_location_length check (char_length(location) <= 500);

create table busy_time (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint,
  appointment_type_id bigint,
  hold_token_hash bytea,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  during tstzrange not null,
  lane int8range not null,
  expires_at timestamptz(3),
  primary key (coach_id, id),
  constraint busy_time_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint busy_time_hold_expires check ((hold_token_hash is null) = (expires_at is null)),
  constraint busy_time_ends_after_start check (end_time > start_time),
  constraint busy_time_no_overlap exclude using gist (coach_id with =, during with &&, lane with &&)
);
create unique index busy_time_appointment on busy_time (coach_id, appointment_id) where appointment_id is not null;
create index busy_time_end on busy_time (coach_id, end_time, start_time);
create unique index busy_time_hold on busy_time (coach_id, hold_token_hash) where hold_token_hash is not null;
${enableTenantPolicy('busy_time')}

-- Keeps the busy time of an appointment: none while it is cancelled or it or its client or prospect is in the trash.
create function keep_busy_time() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  minutes_before int;
  minutes_after int;
begin
  if new.status = 'cancelled' or new.deleted_at is not null
    or exists (select 1 from client where coach_id = new.coach_id and id = new.client_id and deleted_at is not null)
    or exists (select 1 from prospect where coach_id = new.coach_id and id = new.prospect_id and deleted_at is not null)
  then
    delete from busy_time where coach_id = new.coach_id and appointment_id = new.id;
    return null;
  end if;
  select coalesce(t.buffer_before, s.buffer_before, 0), coalesce(t.buffer_after, s.buffer_after, 0)
    into minutes_before, minutes_after
    from (select 1) as one
    left join appointment_type t on t.coach_id = new.coach_id and t.id = new.appointment_type_id
    left join availability_schedule s on s.coach_id = new.coach_id and s.deleted_at is null
      and (s.id = t.schedule_id or s.is_default)
    order by s.id = t.schedule_id desc nulls last limit 1;
  insert into busy_time (coach_id, appointment_id, appointment_type_id, start_time, end_time, during, lane)
    values (new.coach_id, new.id, new.appointment_type_id, new.start_time, new.end_time,
      tstzrange(new.start_time - make_interval(mins => minutes_before),
        new.end_time + make_interval(mins => minutes_after)),
      int8range(new.id, new.id, '[]'))
    on conflict (coach_id, appointment_id) where appointment_id is not null
    do update set appointment_type_id = excluded.appointment_type_id, start_time = excluded.start_time,
      end_time = excluded.end_time, during = excluded.during;
  return null;
end $$;
create trigger appointment_busy_time
  after insert or update of start_time, end_time, status, deleted_at, appointment_type_id, client_id, prospect_id
  on appointment for each row execute function keep_busy_time('appointment');

-- The appointments of a client or prospect in the trash take no time. Arguments: the table, then the reference to it.
create function keep_busy_times_of_attendee() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('update appointment set status = status where coach_id = $1 and %I = $2', tg_argv[1])
    using new.coach_id, new.id;
  return null;
end $$;
create trigger client_busy_time after update of deleted_at on client
  for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function keep_busy_times_of_attendee('client', 'client_id');
create trigger prospect_busy_time after update of deleted_at on prospect
  for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function keep_busy_times_of_attendee('prospect', 'prospect_id');

do $$
declare
  coach bigint;
begin
  for coach in select id from list_coaches() loop
    perform set_config('app.coach_id', coach::text, true);
    update appointment set status = status where coach_id = coach;
  end loop;
  perform set_config('app.coach_id', '', true);
end $$;
`,
  ),
  // Emails to attendees, and the addresses of calendar feeds.
  migration(
    'scheduling/0003-messages',
    /* sql */ `
alter table appointment_type
  add column reminder_day boolean not null default true,
  add column reminder_hour boolean not null default true;

alter table appointment
  add column cancellation_reason text,
  add constraint appointment_cancellation_reason_length check (char_length(cancellation_reason) <= 1000);

create table appointment_message (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  kind text not null,
  sequence int not null,
  email text not null,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  place text,
  tentative boolean not null,
  due_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  sent_at timestamptz(3),
  skip_reason text,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint appointment_message_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint appointment_message_kind_allowed check (
    kind in ('confirmation', 'change', 'cancellation', 'reminder_day', 'reminder_hour')),
  constraint appointment_message_skip_reason_allowed check (
    skip_reason in ('cancelled', 'not-cancelled', 'superseded', 'not-confirmed', 'late', 'off', 'no-address', 'unverified', 'refused')),
  constraint appointment_message_email_length check (char_length(email) <= 254),
  constraint appointment_message_place_length check (char_length(place) <= 2000),
  constraint appointment_message_sent_once check (sent_at is null or claimed_at is not null and skip_reason is null)
);
create unique index appointment_message_key on appointment_message (coach_id, appointment_id, kind, sequence);
${enableTenantPolicy('appointment_message')}

create table calendar_feed (
  coach_id bigint not null,
  id bigserial not null,
  token_hash bytea not null,
  shows_details boolean not null,
  created_at timestamptz(3) not null,
  last_read_at timestamptz(3),
  primary key (coach_id, id)
);
create unique index calendar_feed_coach on calendar_feed (coach_id);
${enableTenantPolicy('calendar_feed')}
`,
  ),
  // The coach's own texts of messages, and which are sent when.
  migration(
    'scheduling/0004-message-texts',
    /* sql */ `
create table message_text (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null,
  subject text not null,
  body text not null,
  is_standard boolean not null default false,
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint message_text_kind_allowed check (
    kind in ('confirmation', 'request', 'change', 'cancellation', 'reminder', 'follow_up')),
  constraint message_text_subject_length check (subject <> '' and char_length(subject) <= 200),
  constraint message_text_body_length check (body <> '' and char_length(body) <= 5000),
  constraint message_text_version_range check (version >= 1)
);
create unique index message_text_kind on message_text (coach_id, kind);
${enableTenantPolicy('message_text')}

create table message_settings (
  coach_id bigint not null,
  id bigserial not null,
  reminder_minutes int[] not null,
  follow_up boolean not null,
  follow_up_minutes int not null,
  tells_coach boolean not null,
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint message_settings_reminder_minutes check (
    cardinality(reminder_minutes) <= 5 and 5 <= all (reminder_minutes) and 43200 >= all (reminder_minutes)),
  constraint message_settings_follow_up_minutes check (follow_up_minutes >= 5 and follow_up_minutes <= 43200),
  constraint message_settings_version_range check (version >= 1)
);
create unique index message_settings_coach on message_settings (coach_id);
${enableTenantPolicy('message_settings')}

alter table appointment_type
  add column reminder_minutes int[],
  add column follow_up text,
  add constraint appointment_type_reminder_minutes check (
    cardinality(reminder_minutes) <= 5 and 5 <= all (reminder_minutes) and 43200 >= all (reminder_minutes)),
  add constraint appointment_type_follow_up_allowed check (follow_up in ('on', 'off'));
alter table appointment_message
  add column lead_minutes int not null default 0,
  drop constraint appointment_message_kind_allowed;
-- Both reminders of an appointment have one kind from now on.
drop index appointment_message_key;
do $$
declare
  coach bigint;
begin
  for coach in select id from list_coaches() loop
    perform set_config('app.coach_id', coach::text, true);
    update appointment_type
      set reminder_minutes = array_remove(
        array[case when reminder_day then 1440 end, case when reminder_hour then 60 end], null)
      where coach_id = coach and not (reminder_day and reminder_hour);
    update appointment_message
      set kind = 'reminder', lead_minutes = case kind when 'reminder_day' then 1440 else 60 end
      where coach_id = coach and kind in ('reminder_day', 'reminder_hour');
  end loop;
  perform set_config('app.coach_id', '', true);
end $$;
alter table appointment_type
  drop column reminder_day,
  drop column reminder_hour;
alter table appointment_message
  add constraint appointment_message_kind_allowed check (
    kind in ('confirmation', 'change', 'cancellation', 'reminder', 'follow_up', 'coach_booked', 'coach_moved', 'coach_cancelled'));
create unique index appointment_message_key
  on appointment_message (coach_id, appointment_id, kind, sequence, lead_minutes);
create index appointment_message_claimed on appointment_message (coach_id, claimed_at)
  where sent_at is null and skip_reason is null;
`,
  ),
  // Works without the module pipeline: prospects are read from a view, which is empty then.
  migration(
    'scheduling/0005-optional-prospects',
    /* sql */ `
do $$ begin
  if obj_description('prospect'::regclass) = 'replacement' then
    drop table prospect cascade;
  end if;
  if to_regclass('prospect_person') is null then
    create view prospect_person with (security_invoker = true) as
      select null::bigint as coach_id, null::bigint as id, null::text as name, null::text as email,
        null::text as timezone, null::text as search_text, null::timestamptz(3) as deleted_at
      where false;
  end if;
end $$;

-- Keeps the busy time of an appointment: none while it is cancelled or it or its client or prospect is in the trash.
create or replace function keep_busy_time() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  minutes_before int;
  minutes_after int;
begin
  if new.status = 'cancelled' or new.deleted_at is not null
    or exists (select 1 from client where coach_id = new.coach_id and id = new.client_id and deleted_at is not null)
    or exists (
      select 1 from prospect_person where coach_id = new.coach_id and id = new.prospect_id and deleted_at is not null)
  then
    delete from busy_time where coach_id = new.coach_id and appointment_id = new.id;
    return null;
  end if;
  select coalesce(t.buffer_before, s.buffer_before, 0), coalesce(t.buffer_after, s.buffer_after, 0)
    into minutes_before, minutes_after
    from (select 1) as one
    left join appointment_type t on t.coach_id = new.coach_id and t.id = new.appointment_type_id
    left join availability_schedule s on s.coach_id = new.coach_id and s.deleted_at is null
      and (s.id = t.schedule_id or s.is_default)
    order by s.id = t.schedule_id desc nulls last limit 1;
  insert into busy_time (coach_id, appointment_id, appointment_type_id, start_time, end_time, during, lane)
    values (new.coach_id, new.id, new.appointment_type_id, new.start_time, new.end_time,
      tstzrange(new.start_time - make_interval(mins => minutes_before),
        new.end_time + make_interval(mins => minutes_after)),
      int8range(new.id, new.id, '[]'))
    on conflict (coach_id, appointment_id) where appointment_id is not null
    do update set appointment_type_id = excluded.appointment_type_id, start_time = excluded.start_time,
      end_time = excluded.end_time, during = excluded.during;
  return null;
end $$;

-- Adds the foreign keys to prospects that are missing. The module pipeline calls it when it is added later.
create function connect_prospects() returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  target text;
begin
  if to_regclass('prospect') is null then
    return;
  end if;
  for target in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'prospect_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
      select 1 from pg_constraint where conrelid = c.oid and conname = c.relname || '_coach_id_prospect_id_foreign')
  loop
    execute format('alter table %I add constraint %I foreign key (coach_id, prospect_id)
      references prospect (coach_id, id) on delete cascade', target, target || '_coach_id_prospect_id_foreign');
  end loop;
  if not exists (select 1 from pg_trigger where tgname = 'prospect_busy_time') then
    create trigger prospect_busy_time after update of deleted_at on prospect
      for each row when (old.deleted_at is distinct from new.deleted_at)
      execute function keep_busy_times_of_attendee('prospect', 'prospect_id');
  end if;
end $$;
`,
  ),
  // Links by which one person books once.
  migration(
    'scheduling/0006-booking-links',
    /* sql */ `
create table booking_link (
  coach_id bigint not null,
  id bigserial not null,
  appointment_type_id bigint not null,
  client_id bigint,
  prospect_id bigint,
  expires_at timestamptz(3),
  used_at timestamptz(3),
  appointment_id bigint,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint booking_link_coach_id_appointment_type_id_foreign foreign key (coach_id, appointment_type_id)
    references appointment_type (coach_id, id) on delete cascade,
  constraint booking_link_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint booking_link_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint booking_link_client_or_prospect check (num_nonnulls(client_id, prospect_id) = 1),
  constraint booking_link_used check (appointment_id is null or used_at is not null)
);
create index booking_link_client on booking_link (coach_id, client_id);
create index booking_link_prospect on booking_link (coach_id, prospect_id);
${enableTenantPolicy('booking_link')}
select connect_prospects();
`,
  ),
  // Events of other calendars.
  migration(
    'scheduling/0007-other-calendars',
    /* sql */ `
alter table appointment
  add column google_event_id text,
  add constraint appointment_google_event_id_length check (char_length(google_event_id) <= 1024);
drop trigger appointment_history on appointment;
${addHistoryTrigger('appointment', ['version', 'google_event_id'])}

alter table busy_time
  add column source text,
  add column source_id bigint,
  add constraint busy_time_source check (
    (source is null) = (source_id is null) and (source is null or num_nonnulls(appointment_id, hold_token_hash) = 0));
create index busy_time_source on busy_time (coach_id, source, source_id) where source is not null;
`,
  ),
  // Calendar files that were imported, and their events.
  migration(
    'scheduling/0008-calendar-import',
    /* sql */ `
create table calendar_import (
  coach_id bigint not null,
  id bigserial not null,
  file_name text not null,
  summary jsonb not null,
  content jsonb,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (coach_id, id),
  constraint calendar_import_file_name_length check (char_length(file_name) <= 255),
  constraint calendar_import_finished check ((content is null) = (finished_at is not null))
);
create index calendar_import_created on calendar_import (coach_id, created_at);
${enableTenantPolicy('calendar_import')}

create table imported_event (
  coach_id bigint not null,
  id bigserial not null,
  calendar_import_id bigint,
  key_hash bytea not null,
  appointment_id bigint,
  title text,
  start_time timestamptz(3),
  end_time timestamptz(3),
  is_all_day boolean not null default false,
  primary key (coach_id, id),
  constraint imported_event_coach_id_calendar_import_id_foreign foreign key (coach_id, calendar_import_id)
    references calendar_import (coach_id, id) on delete cascade,
  constraint imported_event_title_length check (char_length(title) <= 255),
  constraint imported_event_busy_time check (
    num_nulls(title, start_time, end_time) in (0, 3) and (appointment_id is null) = (title is not null)),
  constraint imported_event_ends_after_start check (end_time > start_time)
);
create unique index imported_event_key on imported_event (coach_id, key_hash);
create index imported_event_import on imported_event (coach_id, calendar_import_id) where calendar_import_id is not null;
create index imported_event_time on imported_event (coach_id, end_time, start_time) where end_time is not null;
${enableTenantPolicy('imported_event')}

alter table busy_time
  add column imported_event_id bigint,
  add constraint busy_time_coach_id_imported_event_id_foreign foreign key (coach_id, imported_event_id)
    references imported_event (coach_id, id) on delete cascade;
create unique index busy_time_imported_event on busy_time (coach_id, imported_event_id)
  where imported_event_id is not null;
`,
  ),
  // The websites that may show the booking page in a frame.
  migration(
    'scheduling/0009-embedding',
    /* sql */ `
create table booking_embed (
  coach_id bigint not null,
  id bigserial not null,
  origins text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint booking_embed_origins check (cardinality(origins) <= 10)
);
create unique index booking_embed_coach on booking_embed (coach_id);
${enableTenantPolicy('booking_embed')}
`,
  ),
  // Sessions that repeat.
  migration(
    'scheduling/0010-series',
    /* sql */ `
create table appointment_series (
  coach_id bigint not null,
  id bigserial not null,
  unit text not null,
  interval int not null,
  start_minute int not null,
  duration_minutes int not null,
  timezone text not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint appointment_series_unit_allowed check (unit in ('week', 'month')),
  constraint appointment_series_ranges check (
    "interval" >= 1 and "interval" <= 52 and start_minute >= 0 and start_minute <= 1439 and duration_minutes >= 1),
  constraint appointment_series_timezone_length check (char_length(timezone) <= 255)
);
${enableTenantPolicy('appointment_series')}

alter table appointment
  add column series_id bigint,
  add column occurrence_date date,
  add column own_fields text[] not null default '{}',
  add constraint appointment_coach_id_series_id_foreign foreign key (coach_id, series_id)
    references appointment_series (coach_id, id),
  add constraint appointment_occurrence check ((series_id is null) = (occurrence_date is null));
create index appointment_of_series on appointment (coach_id, series_id, occurrence_date) where series_id is not null;
drop trigger appointment_history on appointment;
${addHistoryTrigger('appointment', ['version', 'google_event_id', 'series_id', 'occurrence_date', 'own_fields'])}

-- A series ends with its last appointment.
create function delete_empty_series() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  delete from appointment_series s where s.coach_id = old.coach_id and s.id = old.series_id
    and not exists (select 1 from appointment a where a.coach_id = s.coach_id and a.series_id = s.id);
  return null;
end $$;
create trigger appointment_empty_series after delete or update of series_id on appointment
  for each row when (old.series_id is not null) execute function delete_empty_series('appointment');

-- The first of the messages that are sent as one email.
alter table appointment_message add column group_id bigint;
create index appointment_message_group on appointment_message (coach_id, group_id) where group_id is not null;
`,
  ),
  // Texts of emails about several sessions.
  migration(
    'scheduling/0011-series-texts',
    /* sql */ `
alter table message_text drop constraint message_text_kind_allowed;
alter table message_text add constraint message_text_kind_allowed check (
  kind in ('confirmation', 'request', 'change', 'cancellation', 'reminder', 'follow_up',
    'series_confirmation', 'series_change', 'series_cancellation'));
`,
  ),
  // Places, the texts of visitors and the titles of imported events in the content search.
  migration(
    'scheduling/0012-searched-places',
    /* sql */ `
drop trigger appointment_content on appointment;
${indexContent('appointment', ['description', 'session_notes', 'location', 'cancellation_reason', 'answers.answer'])}
${indexContent('imported_event', ['title'])}
`,
  ),
  // Sessions that are paid when they are booked.
  migration(
    'scheduling/0013-paid-bookings',
    /* sql */ `
alter table appointment_type
  add column payment text not null default 'later',
  add column refund text not null default 'automatic',
  add constraint appointment_type_payment_allowed check (payment in ('later', 'booking')),
  add constraint appointment_type_refund_allowed check (refund in ('automatic', 'manual')),
  add constraint appointment_type_payment_price check (payment = 'later' or coalesce(price_cents, 0) > 0);

create table paid_booking (
  coach_id bigint not null,
  id bigserial not null,
  sale_id bigint not null,
  appointment_type_id bigint,
  appointment_id bigint,
  state text not null default 'open',
  start_time timestamptz(3) not null,
  duration_minutes int not null,
  timezone text not null,
  details jsonb not null,
  kept_until timestamptz(3) not null,
  refund text not null,
  refund_state text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint paid_booking_coach_id_appointment_type_id_foreign foreign key (coach_id, appointment_type_id)
    references appointment_type (coach_id, id),
  constraint paid_booking_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint paid_booking_state_allowed check (state in ('open', 'released', 'booked', 'lost')),
  constraint paid_booking_booked check (state <> 'booked' or appointment_id is not null),
  constraint paid_booking_timezone_length check (char_length(timezone) <= 255),
  constraint paid_booking_refund_allowed check (refund in ('automatic', 'manual')),
  constraint paid_booking_refund_state_allowed check (refund_state in ('due', 'sent', 'failed'))
);
create unique index paid_booking_sale on paid_booking (coach_id, sale_id);
create index paid_booking_appointment on paid_booking (coach_id, appointment_id) where appointment_id is not null;
create index paid_booking_type on paid_booking (coach_id, appointment_type_id) where appointment_type_id is not null;
${enableTenantPolicy('paid_booking')}
`,
  ),
  // The recording and the summary of a session, and which completed ones have none.
  migration(
    'scheduling/0014-summaries',
    /* sql */ `
alter table appointment
  add column audio_url text,
  add column revai_job_id text,
  add column summary_generated boolean not null default false,
  add column recording_detection_status text not null default 'pending',
  add column recording_detection_attempts int not null default 0,
  add column last_recording_detection_attempt timestamptz(3),
  add constraint appointment_audio_url_length check (char_length(audio_url) <= 2000),
  add constraint appointment_revai_job_id_length check (char_length(revai_job_id) <= 255),
  add constraint appointment_recording_detection_status_allowed check (
    recording_detection_status in ('pending', 'searching', 'found', 'not_found', 'failed')),
  add constraint appointment_recording_detection_attempts_range check (recording_detection_attempts >= 0);
create index appointment_pending_summary on appointment (coach_id, start_time, id)
  where completed_at is not null and not summary_generated and deleted_at is null;
drop trigger appointment_history on appointment;
${addHistoryTrigger('appointment', [
  'version',
  'google_event_id',
  'series_id',
  'occurrence_date',
  'own_fields',
  'audio_url',
  'revai_job_id',
  'summary_generated',
  'recording_detection_status',
  'recording_detection_attempts',
  'last_recording_detection_attempt',
])}
`,
  ),
  // A session that is paid when booking can be cancelled as agreed, whatever its type says later.
  migration(
    'scheduling/0015-agreed-notice',
    /* sql */ `
alter table paid_booking add column cancellation_notice_minutes int;
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration(
    'scheduling/0016-signed-rows',
    /* sql */ `${requireSignedActor('appointment_message', 'appointment_series', 'availability_range', 'availability_override', 'booking_embed', 'booking_link', 'calendar_feed', 'calendar_import', 'message_settings', 'message_text', 'paid_booking')}`,
  ),
  // Why the attendee moved the session.
  migration(
    'scheduling/0017-move-reason',
    /* sql */ `
alter table appointment
  add column move_reason text,
  add constraint appointment_move_reason_length check (char_length(move_reason) <= 1000);
`,
  ),
  // A type that is paid as a product. The module that has products may be missing.
  migration(
    'scheduling/0018-products-of-types',
    /* sql */ `
alter table appointment_type
  add column product_id bigint,
  add constraint appointment_type_price_or_product check (price_cents is null or product_id is null),
  drop constraint appointment_type_payment_price;
alter table appointment_type
  add constraint appointment_type_payment_price
    check (payment = 'later' or coalesce(price_cents, 0) > 0 or product_id is not null);
create index appointment_type_product on appointment_type (coach_id, product_id) where product_id is not null;
do $$ begin
  if to_regclass('product') is not null then
    alter table appointment_type add constraint appointment_type_coach_id_product_id_foreign
      foreign key (coach_id, product_id) references product (coach_id, id);
  end if;
end $$;
`,
  ),
  // The agendas of sessions.
  migration(
    'scheduling/0019-agendas',
    /* sql */ `
create table session_agenda (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  content text,
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint session_agenda_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint session_agenda_content_length check (char_length(content) <= 50000),
  constraint session_agenda_version_range check (version >= 1)
);
create unique index session_agenda_appointment on session_agenda (coach_id, appointment_id);
${enableTenantPolicy('session_agenda')}
${addHistoryTrigger('session_agenda', ['version'])}
${indexContent('session_agenda', ['content'])}
`,
  ),
  // Appointments of earlier versions may be in calendars, with an id that ends in the platform's host. An earlier version
  // that still runs adds such ones too: only this one sets the column.
  migration(
    'scheduling/0020-calendar-ids',
    /* sql */ `
alter table appointment add column uid_names_host boolean not null default true;
drop trigger appointment_history on appointment;
${addHistoryTrigger('appointment', [
  'version',
  'google_event_id',
  'series_id',
  'occurrence_date',
  'own_fields',
  'audio_url',
  'revai_job_id',
  'summary_generated',
  'recording_detection_status',
  'recording_detection_attempts',
  'last_recording_detection_attempt',
  'uid_names_host',
])}
`,
  ),
]
