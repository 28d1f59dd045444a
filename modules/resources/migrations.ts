import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'resources/0001-initial',
    /* sql */ `
create table resource_folder (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint resource_folder_name_length check (name <> '' and char_length(name) <= 100),
  constraint resource_folder_version_range check (version >= 1)
);
create unique index resource_folder_name_key on resource_folder (coach_id, lower(name)) where deleted_at is null;
${enableTenantPolicy('resource_folder')}
${addHistoryTrigger('resource_folder', ['version'])}

create table resource (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  type text not null,
  client_id bigint,
  folder_id bigint,
  tags text[] not null default '{}',
  url text,
  stored_file_id bigint,
  size bigint,
  content_type text,
  is_shared boolean not null default false,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint resource_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint resource_coach_id_folder_id_foreign foreign key (coach_id, folder_id)
    references resource_folder (coach_id, id),
  constraint resource_coach_id_stored_file_id_foreign foreign key (coach_id, stored_file_id)
    references stored_file (coach_id, id),
  constraint resource_name_length check (name <> '' and char_length(name) <= 255),
  constraint resource_type_allowed check (type in ('document', 'video', 'link', 'other')),
  constraint resource_tags_count check (cardinality(tags) <= 20),
  constraint resource_url_length check (url ~ '^https?://' and char_length(url) <= 2048),
  constraint resource_content_present check ((url is null) = (stored_file_id is not null)),
  constraint resource_size_present check ((size is null) = (stored_file_id is null)),
  constraint resource_content_type_length check (char_length(content_type) <= 255),
  constraint resource_version_range check (version >= 1)
);
create index resource_newest on resource (coach_id, created_at desc, id desc) where deleted_at is null;
create index resource_client on resource (coach_id, client_id) where client_id is not null;
create index resource_folder_id on resource (coach_id, folder_id) where folder_id is not null;
create index resource_stored_file on resource (coach_id, stored_file_id) where stored_file_id is not null;
${enableTenantPolicy('resource')}
${addHistoryTrigger('resource', ['version', 'stored_file_id'])}

create table resource_version (
  coach_id bigint not null,
  id bigserial not null,
  resource_id bigint not null,
  number int not null,
  file_name text not null,
  stored_file_id bigint not null,
  size bigint not null,
  content_type text not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint resource_version_coach_id_resource_id_foreign foreign key (coach_id, resource_id)
    references resource (coach_id, id) on delete cascade,
  constraint resource_version_coach_id_stored_file_id_foreign foreign key (coach_id, stored_file_id)
    references stored_file (coach_id, id),
  constraint resource_version_number_range check (number >= 1),
  constraint resource_version_file_name_length check (char_length(file_name) <= 255),
  constraint resource_version_content_type_length check (char_length(content_type) <= 255)
);
create unique index resource_version_number on resource_version (coach_id, resource_id, number);
create index resource_version_stored_file on resource_version (coach_id, stored_file_id);
${enableTenantPolicy('resource_version')}

create table resource_share (
  coach_id bigint not null,
  id bigserial not null,
  resource_id bigint not null,
  audience text not null,
  client_id bigint,
  password_hash text,
  expires_at timestamptz(3),
  max_opens int,
  opens int not null default 0,
  sent_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint resource_share_coach_id_resource_id_foreign foreign key (coach_id, resource_id)
    references resource (coach_id, id) on delete cascade,
  constraint resource_share_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint resource_share_audience_allowed check (audience in ('link', 'client', 'all')),
  constraint resource_share_client_present check ((audience = 'client') = (client_id is not null)),
  constraint resource_share_opens_range check (opens >= 0 and max_opens >= 1 and max_opens <= 10000),
  constraint resource_share_password_hash_length check (char_length(password_hash) <= 255)
);
create index resource_share_newest on resource_share (coach_id, resource_id, created_at desc, id desc);
create index resource_share_client on resource_share (coach_id, client_id) where client_id is not null;
${enableTenantPolicy('resource_share')}

create table resource_open (
  coach_id bigint not null,
  id bigserial not null,
  resource_id bigint not null,
  share_id bigint not null,
  client_id bigint,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint resource_open_coach_id_resource_id_foreign foreign key (coach_id, resource_id)
    references resource (coach_id, id) on delete cascade,
  constraint resource_open_coach_id_share_id_foreign foreign key (coach_id, share_id)
    references resource_share (coach_id, id) on delete cascade,
  constraint resource_open_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint resource_open_ip_address_length check (char_length(ip_address) <= 45),
  constraint resource_open_user_agent_length check (char_length(user_agent) <= 400)
);
create index resource_open_newest on resource_open (coach_id, resource_id, created_at desc, id desc);
create index resource_open_share on resource_open (coach_id, share_id);
create index resource_open_client on resource_open (coach_id, client_id) where client_id is not null;
${enableTenantPolicy('resource_open')}
`,
  ),
  // Thumbnails and previews of pictures.
  migration(
    'resources/0002-previews',
    /* sql */ `
alter table resource add column thumbnail_id bigint, add column preview_id bigint;
alter table resource
  add constraint resource_coach_id_thumbnail_id_foreign foreign key (coach_id, thumbnail_id)
    references stored_file (coach_id, id),
  add constraint resource_coach_id_preview_id_foreign foreign key (coach_id, preview_id)
    references stored_file (coach_id, id),
  add constraint resource_preview_complete check ((thumbnail_id is null) = (preview_id is null));
create index resource_thumbnail on resource (coach_id, thumbnail_id) where thumbnail_id is not null;
create index resource_preview on resource (coach_id, preview_id) where preview_id is not null;
drop trigger resource_history on resource;
${addHistoryTrigger('resource', ['version', 'stored_file_id', 'thumbnail_id', 'preview_id'])}
`,
  ),
  // Sharing with the clients of a tag, and opens that are counted for each client.
  migration(
    'resources/0003-shares-of-tags',
    /* sql */ `
alter table resource_share
  add column tag text,
  add column counted_from timestamptz(3),
  drop constraint resource_share_audience_allowed,
  add constraint resource_share_audience_allowed check (audience in ('link', 'client', 'tag', 'all')),
  add constraint resource_share_tag_present check ((audience = 'tag') = (tag is not null)),
  add constraint resource_share_tag_length check (tag <> '' and char_length(tag) <= 40);
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration(
    'resources/0004-signed-rows',
    /* sql */ `${requireSignedActor('resource_version', 'resource_share', 'resource_open')}`,
  ),
  // The timelines of many clients show them.
  migration(
    'resources/0005-shares-of-many',
    /* sql */ `
create index resource_share_of_many on resource_share (coach_id)
  where audience in ('tag', 'all') and revoked_at is null;
`,
  ),
]
