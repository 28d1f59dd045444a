import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'messages/0001-initial',
    /* sql */ `
create table message (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  sender text not null,
  content text not null,
  read_at timestamptz(3),
  notified_at timestamptz(3),
  search_text text generated always as (search_key(content)) stored,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint message_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint message_sender_allowed check (sender in ('coach', 'client')),
  constraint message_content_length check (content <> '' and char_length(content) <= 5000)
);
create index message_newest on message (coach_id, client_id, created_at desc, id desc);
create index message_unread on message (coach_id, client_id, sender) where read_at is null;
${enableTenantPolicy('message')}

create table message_thread (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  last_message_id bigint not null,
  last_sender text not null,
  excerpt text not null,
  last_message_at timestamptz(3) not null,
  unread_by_coach int not null default 0,
  unread_by_client int not null default 0,
  primary key (coach_id, id),
  constraint message_thread_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint message_thread_last_sender_allowed check (last_sender in ('coach', 'client')),
  constraint message_thread_excerpt_length check (char_length(excerpt) <= 200),
  constraint message_thread_unread_range check (unread_by_coach >= 0 and unread_by_client >= 0)
);
create unique index message_thread_client on message_thread (coach_id, client_id);
create index message_thread_newest on message_thread (coach_id, last_message_at desc, id desc);
${enableTenantPolicy('message_thread')}
${requireSignedActor('message', 'message_thread')}
`,
  ),
  migration(
    'messages/0002-attachments',
    /* sql */ `
create table message_attachment (
  coach_id bigint not null,
  id bigserial not null,
  message_id bigint not null,
  position smallint not null,
  resource_id bigint not null,
  primary key (coach_id, id),
  constraint message_attachment_coach_id_message_id_foreign foreign key (coach_id, message_id)
    references message (coach_id, id) on delete cascade,
  constraint message_attachment_position_range check (position >= 1 and position <= 5)
);
create unique index message_attachment_position on message_attachment (coach_id, message_id, position);
create unique index message_attachment_resource on message_attachment (coach_id, message_id, resource_id);
${enableTenantPolicy('message_attachment')}
${requireSignedActor('message_attachment')}
`,
  ),
]
