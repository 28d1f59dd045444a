import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'tasks/0001-initial',
    /* sql */ `
create table task (
  coach_id bigint not null,
  id bigserial not null,
  title text not null,
  owner text not null,
  client_id bigint,
  due_date date,
  done_at timestamptz(3),
  reminder text not null,
  reminded_at timestamptz(3),
  notes text,
  source text not null default 'manual',
  appointment_id bigint,
  line int,
  source_key text,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(title)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint task_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint task_title_length check (title <> '' and char_length(title) <= 1000),
  constraint task_notes_length check (char_length(notes) <= 50000),
  constraint task_source_key_length check (char_length(source_key) <= 100),
  constraint task_owner_allowed check (owner in ('coach', 'client')),
  constraint task_owner_client check (owner <> 'client' or client_id is not null),
  constraint task_reminder_allowed check (reminder in ('due', 'before', 'none')),
  constraint task_source_allowed check (source in ('manual', 'session')),
  constraint task_source_session check ((source = 'session') = (source_key is not null)),
  constraint task_line_range check (line >= 1),
  constraint task_version_range check (version >= 1)
);
create index task_newest on task (coach_id, created_at desc, id desc) where deleted_at is null;
create index task_open on task (coach_id, due_date, id) where done_at is null and deleted_at is null;
create index task_done on task (coach_id, done_at desc, id desc) where done_at is not null and deleted_at is null;
create index task_client on task (coach_id, client_id) where client_id is not null;
create unique index task_source_key on task (coach_id, appointment_id, source_key) where source_key is not null;
${enableTenantPolicy('task')}
${addHistoryTrigger('task', ['version', 'reminded_at', 'appointment_id', 'line', 'source_key'])}
${indexContent('task', ['notes'])}
`,
  ),
  migration(
    'tasks/0002-programs',
    /* sql */ `
alter table task drop constraint task_source_allowed,
  add constraint task_source_allowed check (source in ('manual', 'session', 'program'));
`,
  ),
]
