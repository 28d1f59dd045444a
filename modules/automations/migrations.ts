import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'automations/0001-initial',
    /* sql */ `
create table automation (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  trigger text not null,
  days int,
  filters jsonb not null default '{}',
  actions jsonb not null default '[]',
  only_if text not null default '',
  steps text not null default '',
  enabled_at timestamptz(3),
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint automation_name_length check (name <> '' and char_length(name) <= 120),
  constraint automation_trigger_length check (char_length(trigger) <= 100),
  constraint automation_only_if_length check (char_length(only_if) <= 20000),
  constraint automation_steps_length check (char_length(steps) <= 20000),
  constraint automation_days_range check (days >= 1 and days <= 3650),
  constraint automation_actions_count check (jsonb_typeof(actions) = 'array' and jsonb_array_length(actions) <= 10),
  constraint automation_version_range check (version >= 1)
);
create index automation_enabled on automation (coach_id, trigger) where enabled_at is not null and deleted_at is null;
${enableTenantPolicy('automation')}
${addHistoryTrigger('automation', ['version', 'filters', 'actions'])}

create table automation_run (
  coach_id bigint not null,
  id bigserial not null,
  automation_id bigint not null,
  trigger text not null,
  event_key text not null,
  payload jsonb not null,
  chain bigint[] not null default '{}',
  state text not null default 'waiting',
  problem text,
  attempts int not null default 0,
  title text,
  link text,
  person_kind text,
  person_id bigint,
  person_name text,
  results jsonb not null default '[]',
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint automation_run_coach_id_automation_id_foreign foreign key (coach_id, automation_id)
    references automation (coach_id, id) on delete cascade,
  constraint automation_run_state_allowed check (state in ('waiting', 'done', 'failed', 'skipped', 'stopped')),
  constraint automation_run_event_key_length check (char_length(event_key) <= 500),
  constraint automation_run_problem_length check (char_length(problem) <= 500),
  constraint automation_run_title_length check (char_length(title) <= 500),
  constraint automation_run_link_length check (char_length(link) <= 500),
  constraint automation_run_person_name_length check (char_length(person_name) <= 500),
  constraint automation_run_trigger_length check (char_length(trigger) <= 100),
  constraint automation_run_person_kind_length check (char_length(person_kind) <= 100),
  constraint automation_run_attempts_range check (attempts >= 0)
);
create unique index automation_run_once on automation_run (coach_id, automation_id, event_key);
create index automation_run_newest on automation_run (coach_id, automation_id, id desc);
create index automation_run_started on automation_run (coach_id, started_at) where started_at is not null;
create index automation_run_person on automation_run (coach_id, person_kind, person_id) where person_id is not null;
create index automation_run_time on automation_run (coach_id, created_at);
${enableTenantPolicy('automation_run')}
${requireSignedActor('automation_run')}

create table automation_email (
  coach_id bigint not null,
  id bigserial not null,
  run_id bigint not null,
  action_id text not null,
  email text not null,
  subject text not null,
  body text not null,
  state text not null default 'waiting',
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (coach_id, id),
  constraint automation_email_coach_id_run_id_foreign foreign key (coach_id, run_id)
    references automation_run (coach_id, id) on delete cascade,
  constraint automation_email_state_allowed check (state in ('waiting', 'sending', 'sent', 'failed')),
  constraint automation_email_action_id_length check (char_length(action_id) <= 40),
  constraint automation_email_email_length check (char_length(email) <= 254),
  constraint automation_email_subject_length check (char_length(subject) <= 1000),
  constraint automation_email_body_length check (char_length(body) <= 20000)
);
create unique index automation_email_once on automation_email (coach_id, run_id, action_id);
${enableTenantPolicy('automation_email')}
${requireSignedActor('automation_email')}
`,
  ),
]
