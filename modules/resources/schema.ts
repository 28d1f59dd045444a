import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { StoredFile } from '#tenants/files/schema.ts'
import { audiences, resourceTypes, type Audience, type ResourceType } from './fields.ts'

export const ResourceFolder = defineEntity({
  name: 'ResourceFolder',
  tableName: 'resource_folder',
  primaryKeys: ['coachId', 'id'],
  properties: { ...columns.tenant, name: p.text(), ...columns.trash, ...columns.version, ...columns.timestamps },
  indexes: [sqlIndex('resource_folder_name_key', '(coach_id, lower(name)) where deleted_at is null', { unique: true })],
  checks: [
    check('resource_folder_name_length', `name <> '' and ${maxLength('name', 100)}`),
    check('resource_folder_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('resource_folder'),
})

/** A file, a link or a video. */
export const Resource = defineEntity({
  name: 'Resource',
  tableName: 'resource',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    type: p.text().$type<ResourceType>(),
    /** Null: for every client. */
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    folder: () => tenantReference(ResourceFolder, 'folder_id', 'no action').nullable(),
    tags: p.array().columnType('text[]').default([]),
    /** A link's address; null for a file. */
    url: p.text().nullable(),
    /** The current version. */
    storedFile: () => tenantReference(StoredFile, 'stored_file_id', 'no action').nullable(),
    /** Small pictures of it, once they are made. */
    thumbnail: () => tenantReference(StoredFile, 'thumbnail_id', 'no action').nullable(),
    preview: () => tenantReference(StoredFile, 'preview_id', 'no action').nullable(),
    /** Bytes, and the type by content; null for a link. */
    size: p.bigint('number').nullable(),
    contentType: p.text().nullable(),
    /** Whether somebody can open it: a copy of what the shares say. */
    isShared: p.boolean().default(false),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('name'),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('resource_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('resource_client', '(coach_id, client_id) where client_id is not null'),
    sqlIndex('resource_folder_id', '(coach_id, folder_id) where folder_id is not null'),
    sqlIndex('resource_stored_file', '(coach_id, stored_file_id) where stored_file_id is not null'),
    sqlIndex('resource_thumbnail', '(coach_id, thumbnail_id) where thumbnail_id is not null'),
    sqlIndex('resource_preview', '(coach_id, preview_id) where preview_id is not null'),
  ],
  checks: [
    check('resource_name_length', `name <> '' and ${maxLength('name', 255)}`),
    check('resource_type_allowed', allowedValues('type', Object.keys(resourceTypes))),
    check('resource_tags_count', 'cardinality(tags) <= 20'),
    check('resource_url_length', `url ~ '^https?://' and ${maxLength('url', 2048)}`),
    check('resource_content_present', '(url is null) = (stored_file_id is not null)'),
    check('resource_size_present', '(size is null) = (stored_file_id is null)'),
    check('resource_preview_complete', '(thumbnail_id is null) = (preview_id is null)'),
    ...lengthChecks('resource', 255, ['content_type']),
    check('resource_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('resource', {
    clients: {
      rows: `deleted_at is null and (client_id is null or client_id = ${currentClient}) and exists (
        select 1 from resource_share s where s.coach_id = resource.coach_id and s.resource_id = resource.id)`,
    },
  }),
})
export type ResourceRow = InferEntity<typeof Resource>

/** A file as it was before another one replaced it, and the current one. */
export const ResourceVersion = defineEntity({
  name: 'ResourceVersion',
  tableName: 'resource_version',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    resource: () => tenantReference(Resource, 'resource_id', 'cascade'),
    number: p.integer(),
    /** The name that the file was uploaded with. */
    fileName: p.text(),
    storedFile: () => tenantReference(StoredFile, 'stored_file_id', 'no action'),
    size: p.bigint('number'),
    contentType: p.text(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('resource_version_number', '(coach_id, resource_id, number)', { unique: true }),
    sqlIndex('resource_version_stored_file', '(coach_id, stored_file_id)'),
  ],
  checks: [
    check('resource_version_number_range', 'number >= 1'),
    ...lengthChecks('resource_version', 255, ['file_name', 'content_type']),
  ],
  ...tenantPolicy('resource_version'),
})

/** Lets a client, all clients or anyone with the link open a resource. */
export const ResourceShare = defineEntity({
  name: 'ResourceShare',
  tableName: 'resource_share',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    resource: () => tenantReference(Resource, 'resource_id', 'cascade'),
    audience: p.text().$type<Audience>(),
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    /** A tag of clients: those who have it now may open the resource. */
    tag: p.text().nullable(),
    passwordHash: p.text().nullable(),
    expiresAt: p.datetime(3).nullable(),
    maxOpens: p.integer().nullable(),
    opens: p.integer().default(0),
    /** The opens of each client are counted from then; null: from the start. */
    countedFrom: p.datetime(3).nullable(),
    sentAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('resource_share_newest', '(coach_id, resource_id, created_at desc, id desc)'),
    sqlIndex('resource_share_client', '(coach_id, client_id) where client_id is not null'),
    sqlIndex('resource_share_of_many', `(coach_id) where audience in ('tag', 'all') and revoked_at is null`),
  ],
  checks: [
    check('resource_share_audience_allowed', allowedValues('audience', Object.keys(audiences))),
    check('resource_share_client_present', `(audience = 'client') = (client_id is not null)`),
    check('resource_share_tag_present', `(audience = 'tag') = (tag is not null)`),
    check('resource_share_tag_length', `tag <> '' and ${maxLength('tag', 40)}`),
    check('resource_share_opens_range', 'opens >= 0 and max_opens >= 1 and max_opens <= 10000'),
    ...lengthChecks('resource_share', 255, ['password_hash']),
  ],
  ...tenantPolicy('resource_share', {
    clients: {
      rows: `revoked_at is null and (client_id = ${currentClient} or audience = 'all' or audience = 'tag' and exists (
        select 1 from client c where c.coach_id = resource_share.coach_id and c.id = ${currentClient}
          and lower(resource_share.tag) = any (lower(c.tags::text)::text[])))`,
    },
  }),
})

/** One row for each time that somebody opened a resource. */
export const ResourceOpen = defineEntity({
  name: 'ResourceOpen',
  tableName: 'resource_open',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    resource: () => tenantReference(Resource, 'resource_id', 'cascade'),
    share: () => tenantReference(ResourceShare, 'share_id', 'cascade'),
    /** Null: somebody with the link. */
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    ipAddress: p.text().nullable(),
    userAgent: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('resource_open_newest', '(coach_id, resource_id, created_at desc, id desc)'),
    sqlIndex('resource_open_share', '(coach_id, share_id)'),
    sqlIndex('resource_open_client', '(coach_id, client_id) where client_id is not null'),
  ],
  checks: [...lengthChecks('resource_open', 45, ['ip_address']), ...lengthChecks('resource_open', 400, ['user_agent'])],
  ...tenantPolicy('resource_open', { clients: { rows: `client_id = ${currentClient}` } }),
})
