import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'portal/0001-initial',
    /* sql */ `
create table portal_link (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  email text not null,
  token_hash bytea not null,
  host text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint portal_link_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint portal_link_email_length check (char_length(email) <= 254),
  constraint portal_link_host_length check (char_length(host) <= 255)
);
create unique index portal_link_token on portal_link (coach_id, token_hash);
create index portal_link_client on portal_link (coach_id, client_id);
${enableTenantPolicy('portal_link')}

create table portal_session (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  email text not null,
  token_hash bytea not null,
  user_agent text,
  ip_address text,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint portal_session_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint portal_session_email_length check (char_length(email) <= 254),
  constraint portal_session_user_agent_length check (char_length(user_agent) <= 400),
  constraint portal_session_ip_address_length check (char_length(ip_address) <= 45),
  constraint portal_session_end check (expires_at > created_at)
);
create unique index portal_session_token on portal_session (coach_id, token_hash);
create index portal_session_client on portal_session (coach_id, client_id);
${enableTenantPolicy('portal_session')}
${requireSignedActor('portal_link', 'portal_session')}
`,
  ),
  migration(
    'portal/0002-passkeys',
    /* sql */ `
create table portal_passkey (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  email text not null,
  host text not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  challenge_expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  removed_at timestamptz(3),
  primary key (coach_id, id),
  constraint portal_passkey_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint portal_passkey_email_length check (char_length(email) <= 254),
  constraint portal_passkey_host_length check (char_length(host) <= 255),
  constraint portal_passkey_name_length check (char_length(name) <= 60),
  constraint portal_passkey_size
    check (octet_length(credential_id) <= 1023 and octet_length(public_key) <= 2048 and cardinality(transports) <= 10)
);
create unique index portal_passkey_credential on portal_passkey (coach_id, credential_id);
create index portal_passkey_client on portal_passkey (coach_id, client_id);
${enableTenantPolicy('portal_passkey')}
${requireSignedActor('portal_passkey')}
`,
  ),
  // At which host the sessions were made isn't known: clients sign in once more. An earlier version that still serves adds
  // sessions with the default, which are valid nowhere.
  migration(
    'portal/0003-session-domains',
    /* sql */ `
truncate portal_session;
alter table portal_session
  add column domain text default '',
  add constraint portal_session_domain_length check (char_length(domain) <= 253);
`,
  ),
]
