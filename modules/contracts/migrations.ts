import { migration } from '#db/migration.ts'
import { currentClient, enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'contracts/0001-initial',
    /* sql */ `
create table contract_template (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  body text not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contract_template_name_length check (name <> '' and char_length(name) <= 255),
  constraint contract_template_body_length check (char_length(body) <= 50000),
  constraint contract_template_version_range check (version >= 1)
);
create index contract_template_newest on contract_template (coach_id, created_at desc, id desc)
  where deleted_at is null;
${enableTenantPolicy('contract_template')}
${addHistoryTrigger('contract_template', ['version'])}

create table contract (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  template_id bigint,
  appointment_id bigint,
  source text not null,
  state text not null,
  title text not null,
  body text not null,
  product text,
  price bigint,
  expires_in_days int not null,
  text text,
  text_sha256 bytea,
  client_name text,
  client_email text,
  practice_name text,
  code text,
  sent_at timestamptz(3),
  expires_at timestamptz(3),
  link_number int not null default 0,
  emailed_at timestamptz(3),
  reminded_at timestamptz(3),
  viewed_at timestamptz(3),
  client_signed_at timestamptz(3),
  coach_signed_at timestamptz(3),
  closed_at timestamptz(3),
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(title)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contract_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id),
  constraint contract_coach_id_template_id_foreign foreign key (coach_id, template_id)
    references contract_template (coach_id, id),
  constraint contract_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id),
  constraint contract_title_length check (title <> '' and char_length(title) <= 255),
  constraint contract_body_length check (char_length(body) <= 50000),
  constraint contract_product_length check (char_length(product) <= 255),
  constraint contract_client_name_length check (char_length(client_name) <= 255),
  constraint contract_client_email_length check (char_length(client_email) <= 255),
  constraint contract_practice_name_length check (char_length(practice_name) <= 255),
  constraint contract_price_range check (price >= 0 and price <= 9999999999),
  constraint contract_expires_in_days_range check (expires_in_days >= 1 and expires_in_days <= 365),
  constraint contract_source_allowed check (source in ('coach', 'booking')),
  constraint contract_state_allowed
    check (state in ('draft', 'open', 'completed', 'declined', 'expired', 'voided')),
  constraint contract_sent check (num_nulls(text, text_sha256, client_name, practice_name, code, sent_at, expires_at)
    = case when state = 'draft' then 7 else 0 end),
  constraint contract_text_sha256_matches check (text_sha256 = sha256(convert_to(text, 'UTF8'))),
  constraint contract_completed
    check ((state = 'completed') = (client_signed_at is not null and coach_signed_at is not null)),
  constraint contract_closed check ((closed_at is null) = (state in ('draft', 'open'))),
  constraint contract_deleted check (deleted_at is null or state = 'draft'),
  constraint contract_client_known check (client_id is not null or state = 'completed'),
  constraint contract_code_format check (code ~ '^[0-9A-Z]{24}$'),
  constraint contract_version_range check (version >= 1)
);
create index contract_newest on contract (coach_id, created_at desc, id desc) where deleted_at is null;
create index contract_client on contract (coach_id, client_id, created_at desc) where client_id is not null;
create index contract_template_ref on contract (coach_id, template_id) where template_id is not null;
create unique index contract_appointment on contract (coach_id, appointment_id, template_id)
  where appointment_id is not null;
create index contract_open on contract (coach_id, expires_at) where state = 'open';
create unique index contract_code on contract (coach_id, code) where code is not null;
${enableTenantPolicy('contract')}
${addHistoryTrigger('contract', ['version', 'text', 'text_sha256', 'code', 'link_number'])}

-- Once sent, only the way to its end changes, which has no way back, and references to what is erased. A completed
-- contract is deleted with the practice only. The client in the portal changes what their own steps change, and both
-- signatures come before the end that they make.
create function keep_contract() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  changing text[] := array['state', 'link_number', 'expires_at', 'emailed_at', 'reminded_at', 'viewed_at',
    'client_signed_at', 'coach_signed_at', 'closed_at', 'client_id', 'template_id', 'appointment_id', 'version',
    'search_text', 'updated_at'];
  changing_by_client text[] := array['state', 'viewed_at', 'client_signed_at', 'closed_at', 'version', 'search_text',
    'updated_at'];
begin
  if tg_op = 'DELETE' then
    if old.state <> 'completed' or exists (select 1 from account where id = old.coach_id and removed_at is not null) then
      return old;
    end if;
    raise exception 'a completed contract is never deleted' using errcode = 'restrict_violation';
  end if;
  if new.state = 'completed' and old.state <> 'completed' and (select count(*) from contract_signature
    where coach_id = new.coach_id and contract_id = new.id) < 2
  then
    raise exception 'a contract is completed by both signatures' using errcode = 'restrict_violation';
  end if;
  if ${currentClient} is not null and (new.state in ('voided', 'expired')
    or to_jsonb(new) - changing_by_client <> to_jsonb(old) - changing_by_client)
  then
    raise exception 'a client does not change this of a contract' using errcode = 'restrict_violation';
  end if;
  if old.state = 'draft' or new.coach_id <> old.coach_id then
    return new;
  end if;
  if to_jsonb(new) - changing = to_jsonb(old) - changing
    and coalesce(new.client_id, old.client_id) is not distinct from old.client_id
    and coalesce(new.template_id, old.template_id) is not distinct from old.template_id
    and coalesce(new.appointment_id, old.appointment_id) is not distinct from old.appointment_id
    and new.viewed_at is not distinct from coalesce(old.viewed_at, new.viewed_at)
    and new.client_signed_at is not distinct from coalesce(old.client_signed_at, new.client_signed_at)
    and new.coach_signed_at is not distinct from coalesce(old.coach_signed_at, new.coach_signed_at)
    and (old.state = 'open' and new.state <> 'draft'
      or (new.state, new.closed_at, new.expires_at) = (old.state, old.closed_at, old.expires_at))
  then
    return new;
  end if;
  raise exception 'a contract that was sent never changes' using errcode = 'restrict_violation';
end $$;
create trigger contract_keep before update or delete on contract
  for each row execute function keep_contract('contract');

create function check_new_contract() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if ${currentClient} is null and new.state <> 'completed' then
    return new;
  end if;
  raise exception 'a contract begins with the coach, unsigned' using errcode = 'restrict_violation';
end $$;
create trigger contract_check after insert on contract
  for each row execute function check_new_contract('contract');

create table contract_signature (
  coach_id bigint not null,
  id bigserial not null,
  contract_id bigint not null,
  party text not null,
  name text not null,
  method text not null,
  drawing text,
  consent text not null,
  text_sha256 bytea not null,
  ip_address text,
  user_agent text,
  signed_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contract_signature_coach_id_contract_id_foreign foreign key (coach_id, contract_id)
    references contract (coach_id, id) on delete cascade,
  constraint contract_signature_name_length check (name <> '' and char_length(name) <= 200),
  constraint contract_signature_party_allowed check (party in ('client', 'coach')),
  constraint contract_signature_method_allowed check (method in ('typed', 'drawn')),
  constraint contract_signature_drawn check ((method = 'drawn') = (drawing is not null)),
  constraint contract_signature_drawing_length check (char_length(drawing) <= 20000),
  constraint contract_signature_consent_length check (char_length(consent) <= 500),
  constraint contract_signature_user_agent_length check (char_length(user_agent) <= 400),
  constraint contract_signature_ip_address_length check (char_length(ip_address) <= 45)
);
create unique index contract_signature_party on contract_signature (coach_id, contract_id, party);
${enableTenantPolicy('contract_signature')}
${requireSignedActor('contract_signature')}

create table contract_event (
  coach_id bigint not null,
  id bigserial not null,
  contract_id bigint not null,
  kind text not null,
  party text,
  name text,
  detail text,
  sha256 bytea,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contract_event_coach_id_contract_id_foreign foreign key (coach_id, contract_id)
    references contract (coach_id, id) on delete cascade,
  constraint contract_event_kind_allowed check (kind in ('sent', 'linked', 'reminded', 'viewed', 'signed', 'declined',
    'voided', 'expired', 'completed', 'printed')),
  constraint contract_event_party_allowed check (party in ('client', 'coach')),
  constraint contract_event_name_length check (char_length(name) <= 255),
  constraint contract_event_detail_length check (char_length(detail) <= 500),
  constraint contract_event_user_agent_length check (char_length(user_agent) <= 400),
  constraint contract_event_ip_address_length check (char_length(ip_address) <= 45)
);
create index contract_event_contract on contract_event (coach_id, contract_id, id);
${enableTenantPolicy('contract_event')}
${requireSignedActor('contract_event')}

create table contract_file (
  coach_id bigint not null,
  id bigserial not null,
  contract_id bigint not null,
  content bytea not null,
  sha256 bytea not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contract_file_coach_id_contract_id_foreign foreign key (coach_id, contract_id)
    references contract (coach_id, id) on delete cascade,
  constraint contract_file_sha256_matches check (sha256 = sha256(content))
);
create unique index contract_file_contract on contract_file (coach_id, contract_id);
${enableTenantPolicy('contract_file')}
${requireSignedActor('contract_file')}

-- Signatures, the audit trail and the PDF never change. They are deleted with their contract, or with the practice.
create function keep_contract_part() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if new.coach_id <> old.coach_id then
      return new;
    end if;
  elsif not exists (select 1 from contract where coach_id = old.coach_id and id = old.contract_id)
    or exists (select 1 from account where id = old.coach_id and removed_at is not null)
  then
    return old;
  end if;
  raise exception 'signatures, trail and file of a contract never change' using errcode = 'restrict_violation';
end $$;
create trigger contract_signature_keep before update or delete on contract_signature
  for each row execute function keep_contract_part('contract_signature');
create trigger contract_event_keep before update or delete on contract_event
  for each row execute function keep_contract_part('contract_event');
create trigger contract_file_keep before update or delete on contract_file
  for each row execute function keep_contract_part('contract_file');

-- A signature is one of the text that the contract has. The client in the portal signs for themselves alone.
create function check_contract_signature() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if ${currentClient} is not null and new.party <> 'client' then
    raise exception 'a client signs as the client' using errcode = 'restrict_violation';
  end if;
  if exists (select 1 from contract
    where coach_id = new.coach_id and id = new.contract_id and text_sha256 = new.text_sha256)
  then
    return new;
  end if;
  raise exception 'the signature is not one of this text' using errcode = 'restrict_violation';
end $$;
create trigger contract_signature_check after insert on contract_signature
  for each row execute function check_contract_signature('contract_signature');

-- The client in the portal adds to the trail what they did, the end that they made, and the PDF that was printed for them.
create function check_contract_event() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if ${currentClient} is null or new.party = 'client' and new.kind in ('viewed', 'signed', 'declined')
    or new.party is null and new.kind in ('completed', 'printed') and exists (select 1 from contract
      where coach_id = new.coach_id and id = new.contract_id and state = 'completed')
  then
    return new;
  end if;
  raise exception 'a client does not add this to the trail' using errcode = 'restrict_violation';
end $$;
create trigger contract_event_check after insert on contract_event
  for each row execute function check_contract_event('contract_event');

-- Only a completed contract has a PDF.
create function check_contract_file() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select 1 from contract
    where coach_id = new.coach_id and id = new.contract_id and state = 'completed')
  then
    return new;
  end if;
  raise exception 'only a completed contract has a file' using errcode = 'restrict_violation';
end $$;
create trigger contract_file_check after insert on contract_file
  for each row execute function check_contract_file('contract_file');

create table contract_email (
  coach_id bigint not null,
  id bigserial not null,
  contract_id bigint not null,
  kind text not null,
  state text not null default 'waiting',
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (coach_id, id),
  constraint contract_email_coach_id_contract_id_foreign foreign key (coach_id, contract_id)
    references contract (coach_id, id) on delete cascade,
  constraint contract_email_kind_allowed check (kind in ('link', 'reminder', 'copy-client', 'copy-coach', 'viewed',
    'signed', 'declined')),
  constraint contract_email_state_allowed check (state in ('waiting', 'sending', 'sent', 'failed'))
);
create index contract_email_contract on contract_email (coach_id, contract_id);
${enableTenantPolicy('contract_email')}
${requireSignedActor('contract_email')}

create table contract_requirement (
  coach_id bigint not null,
  id bigserial not null,
  appointment_type_id bigint not null,
  template_id bigint not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint contract_requirement_coach_id_appointment_type_id_foreign foreign key (coach_id, appointment_type_id)
    references appointment_type (coach_id, id) on delete cascade,
  constraint contract_requirement_coach_id_template_id_foreign foreign key (coach_id, template_id)
    references contract_template (coach_id, id) on delete cascade
);
create unique index contract_requirement_type on contract_requirement (coach_id, appointment_type_id, template_id);
create index contract_requirement_template on contract_requirement (coach_id, template_id);
${enableTenantPolicy('contract_requirement')}
${requireSignedActor('contract_requirement')}
`,
  ),
  // Purchases require contracts as well. The module that has products may be missing.
  migration(
    'contracts/0002-contracts-of-products',
    /* sql */ `
alter table contract drop constraint contract_source_allowed;
alter table contract add constraint contract_source_allowed check (source in ('coach', 'booking', 'purchase'));
alter table contract_requirement
  alter column appointment_type_id drop not null,
  add column product_id bigint,
  add constraint contract_requirement_of_one check (num_nonnulls(appointment_type_id, product_id) = 1);
create unique index contract_requirement_product on contract_requirement (coach_id, product_id, template_id)
  where product_id is not null;
do $$ begin
  if to_regclass('product') is not null then
    alter table contract_requirement add constraint contract_requirement_coach_id_product_id_foreign
      foreign key (coach_id, product_id) references product (coach_id, id) on delete cascade;
  end if;
end $$;
`,
  ),
  // As before, and contracts go with the client's other records when two clients are merged.
  migration(
    'contracts/0003-merged-clients',
    /* sql */ `
create or replace function keep_contract() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  changing text[] := array['state', 'link_number', 'expires_at', 'emailed_at', 'reminded_at', 'viewed_at',
    'client_signed_at', 'coach_signed_at', 'closed_at', 'client_id', 'template_id', 'appointment_id', 'version',
    'search_text', 'updated_at'];
  changing_by_client text[] := array['state', 'viewed_at', 'client_signed_at', 'closed_at', 'version', 'search_text',
    'updated_at'];
begin
  if tg_op = 'DELETE' then
    if old.state <> 'completed' or exists (select 1 from account where id = old.coach_id and removed_at is not null) then
      return old;
    end if;
    raise exception 'a completed contract is never deleted' using errcode = 'restrict_violation';
  end if;
  if new.state = 'completed' and old.state <> 'completed' and (select count(*) from contract_signature
    where coach_id = new.coach_id and contract_id = new.id) < 2
  then
    raise exception 'a contract is completed by both signatures' using errcode = 'restrict_violation';
  end if;
  if ${currentClient} is not null and (new.state in ('voided', 'expired')
    or to_jsonb(new) - changing_by_client <> to_jsonb(old) - changing_by_client)
  then
    raise exception 'a client does not change this of a contract' using errcode = 'restrict_violation';
  end if;
  if old.state = 'draft' or new.coach_id <> old.coach_id then
    return new;
  end if;
  if to_jsonb(new) - changing = to_jsonb(old) - changing
    and (coalesce(new.client_id, old.client_id) is not distinct from old.client_id
      or ${currentClient} is null and is_client_move(new.coach_id, old.client_id, new.client_id))
    and coalesce(new.template_id, old.template_id) is not distinct from old.template_id
    and coalesce(new.appointment_id, old.appointment_id) is not distinct from old.appointment_id
    and new.viewed_at is not distinct from coalesce(old.viewed_at, new.viewed_at)
    and new.client_signed_at is not distinct from coalesce(old.client_signed_at, new.client_signed_at)
    and new.coach_signed_at is not distinct from coalesce(old.coach_signed_at, new.coach_signed_at)
    and (old.state = 'open' and new.state <> 'draft'
      or (new.state, new.closed_at, new.expires_at) = (old.state, old.closed_at, old.expires_at))
  then
    return new;
  end if;
  raise exception 'a contract that was sent never changes' using errcode = 'restrict_violation';
end $$;
`,
  ),
]
