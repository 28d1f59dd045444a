import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'hours/0001-initial',
    /* sql */ `
create table hours_entry (
  coach_id bigint not null,
  id bigserial not null,
  client_name text not null,
  contact text,
  format text not null,
  participants int,
  start_date date not null,
  end_date date not null,
  paid_minutes int not null,
  pro_bono_minutes int not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(client_name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint hours_entry_client_name_length check (client_name <> '' and char_length(client_name) <= 255),
  constraint hours_entry_contact_length check (char_length(contact) <= 255),
  constraint hours_entry_format_allowed check (format in ('individual', 'group')),
  constraint hours_entry_participants check ((format = 'group') = (participants is not null)),
  constraint hours_entry_participants_range check (participants >= 2 and participants <= 1000),
  constraint hours_entry_dates check (end_date >= start_date),
  constraint hours_entry_minutes_range
    check (paid_minutes >= 0 and pro_bono_minutes >= 0 and paid_minutes + pro_bono_minutes >= 1
      and paid_minutes + pro_bono_minutes <= 600000),
  constraint hours_entry_version_range check (version >= 1)
);
create index hours_entry_newest on hours_entry (coach_id, created_at desc, id desc) where deleted_at is null;
${enableTenantPolicy('hours_entry')}
${addHistoryTrigger('hours_entry', ['version'])}

create table hours_counting (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  counting text not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint hours_counting_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint hours_counting_counting_allowed check (counting in ('paid', 'pro_bono', 'not_counted'))
);
create unique index hours_counting_client on hours_counting (coach_id, client_id);
${enableTenantPolicy('hours_counting')}
${requireSignedActor('hours_counting')}
`,
  ),
]
