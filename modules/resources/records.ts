import { z } from 'zod'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { folderFields, resourceFields, resourceTypes, type ResourceType } from './fields.ts'

const types = Object.keys(resourceTypes) as [ResourceType, ...ResourceType[]]
/** With the picture's file: another one has another address. */
const pictureUrl = (name: 'thumbnail' | 'preview') => ({
  output: z.string().nullable().describe(`A ${name} of a picture, once it is made`),
  sql: `'/api/files/' || r.id || '/${name}?of=' || r.${name}_id`,
})
const bytes = () => z.int().nullable().describe('Bytes; null for a link')

/** `name` and `fileName`, `size` and `fileSize` are the same: both are in the API. Source: api.md. */
export const resource = defineRecord({
  kind: 'resource',
  label: 'Resource',
  alias: 'r',
  fields: resourceFields,
  computed: {
    type: { output: z.enum(types), sql: 'r.type' },
    size: { output: bytes(), sql: 'r.size' },
    fileName: { output: z.string(), sql: 'r.name' },
    fileUrl: {
      output: z.string().describe("A link's address, or the path of the download"),
      sql: `coalesce(r.url, '/api/files/' || r.id || '/download')`,
    },
    fileType: { output: z.string().nullable().describe('By content; null for a link'), sql: 'r.content_type' },
    fileSize: { output: bytes(), sql: 'r.size' },
    thumbnailUrl: pictureUrl('thumbnail'),
    previewUrl: pictureUrl('preview'),
    tags: { output: z.array(z.string()), sql: 'r.tags' },
    isShared: { output: z.boolean().describe('Whether somebody else can open it'), sql: 'r.is_shared' },
    updatedAt: timestamp('r.updated_at'),
  },
})
export type ResourceRecord = z.output<typeof resource.output>

export const folder = defineRecord({
  kind: 'resource_folder',
  label: 'Folder',
  fields: folderFields,
  computed: { updatedAt: timestamp('updated_at') },
})
export type FolderRecord = z.output<typeof folder.output>

export const VersionOut = z.object({
  id: z.int(),
  coachId: z.int(),
  number: z.int().describe('1 is the oldest'),
  fileName: z.string(),
  size: z.int(),
  fileType: z.string(),
  createdAt: z.iso.datetime(),
})
export type VersionRecord = z.output<typeof VersionOut>
