import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'public-page/0001-initial',
    /* sql */ `
create table testimonial (
  coach_id bigint not null,
  id bigserial not null,
  quote text not null,
  name text not null,
  role text,
  is_shown boolean not null default true,
  position int not null,
  permission_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint testimonial_quote_length check (quote <> '' and char_length(quote) <= 1000),
  constraint testimonial_name_length check (name <> '' and char_length(name) <= 100),
  constraint testimonial_role_length check (char_length(role) <= 100),
  constraint testimonial_version_range check (version >= 1)
);
create index testimonial_order on testimonial (coach_id, position, id) where deleted_at is null;
${enableTenantPolicy('testimonial')}
${addHistoryTrigger('testimonial', ['version', 'position'])}

create table contact_message (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  prospect_id bigint,
  name text not null,
  email text not null,
  message text not null,
  notified_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contact_message_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint contact_message_client_or_prospect check (num_nonnulls(client_id, prospect_id) <= 1),
  constraint contact_message_name_length check (name <> '' and char_length(name) <= 100),
  constraint contact_message_email_length check (char_length(email) <= 254),
  constraint contact_message_message_length check (message <> '' and char_length(message) <= 5000)
);
create index contact_message_newest on contact_message (coach_id, created_at desc, id desc) where deleted_at is null;
create index contact_message_client on contact_message (coach_id, client_id, created_at desc)
  where client_id is not null;
create index contact_message_prospect on contact_message (coach_id, prospect_id) where prospect_id is not null;
${enableTenantPolicy('contact_message')}
${addHistoryTrigger('contact_message', ['notified_at'])}
-- The foreign key to prospects, if there is a module that has them.
do $$ begin
  if to_regproc('connect_prospects') is not null then
    perform connect_prospects();
  end if;
end $$;

create table public_page_settings (
  coach_id bigint not null,
  id bigserial not null,
  has_contact_form boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id)
);
create unique index public_page_settings_coach on public_page_settings (coach_id);
${enableTenantPolicy('public_page_settings')}
${requireSignedActor('public_page_settings')}
`,
  ),
]
