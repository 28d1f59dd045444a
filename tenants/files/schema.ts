import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, lengthChecks, sqlIndex } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'

const keyFormat = `key ~ '^[0-9]+/[0-9a-f]{32}$' and split_part(key, '/', 1) = coach_id::text`

/** A file whose bytes are in the store. It belongs to a record, and is deleted with it. */
export const StoredFile = defineEntity({
  name: 'StoredFile',
  tableName: 'stored_file',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** The name of its bytes in the store. */
    key: p.text(),
    /** Bytes. */
    size: p.bigint('number'),
    /** By its content. */
    contentType: p.text(),
    /** The record's table. */
    kind: p.text(),
    recordId: p.bigint('number'),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('stored_file_record', '(coach_id, kind, record_id)')],
  uniques: [{ name: 'stored_file_key', properties: ['coachId', 'key'] }],
  checks: [
    check('stored_file_key_format', keyFormat),
    check('stored_file_size_range', 'size >= 0'),
    check('stored_file_kind_format', `kind ~ '^[a-z_]{1,63}$'`),
    ...lengthChecks('stored_file', 255, ['content_type']),
  ],
  ...tenantPolicy('stored_file'),
})

/** A file that comes in parts, until a record takes it or it expires. */
export const FileUpload = defineEntity({
  name: 'FileUpload',
  tableName: 'file_upload',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    /** Bytes of the whole file, which count as used. */
    size: p.bigint('number'),
    /** Bytes that have arrived. */
    received: p.bigint('number').defaultRaw('0'),
    key: p.text(),
    /** The store's own name. */
    storeId: p.text(),
    /** Only former versions write and read it. */
    tags: p.array().columnType('text[]').default([]),
    /** Set when the parts have been joined. */
    contentType: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
  indexes: [sqlIndex('file_upload_newest', '(coach_id, created_at desc, id desc)')],
  checks: [
    check('file_upload_key_format', keyFormat),
    check('file_upload_size_range', 'size >= 1 and received >= 0 and received <= size'),
    check('file_upload_content_type_complete', 'content_type is null or received = size'),
    ...lengthChecks('file_upload', 255, ['name', 'content_type']),
    ...lengthChecks('file_upload', 2048, ['store_id']),
  ],
  ...tenantPolicy('file_upload'),
})
