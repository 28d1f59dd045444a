import type { Fields } from '#app/lib/fields.ts'

/** Plural where a card counts them. Source: part-2 §3. */
export const resourceTypes = { document: 'Document', video: 'Video', link: 'Link', other: 'Other' } as const
export type ResourceType = keyof typeof resourceTypes

export const resourceFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  clientId: { kind: 'reference', label: 'Client', to: 'client', optional: true },
  folderId: { kind: 'reference', label: 'Folder', to: 'resource_folder', optional: true },
} as const satisfies Fields

/** A link or a video that is somewhere else. */
export const linkFields = {
  ...resourceFields,
  fileUrl: { kind: 'line', label: 'Address', required: 'Address is required', max: 2048 },
  type: {
    kind: 'choice',
    label: 'Type',
    choices: { link: 'Link', video: 'Video' },
    message: 'Choose Link or Video',
    initial: 'link',
  },
} as const satisfies Fields

export const folderFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required', max: 100 },
} as const satisfies Fields

export { maxTagLength, maxTags, parseTags } from '#app/lib/tags.ts'

export const audiences = {
  link: 'Anyone with the link',
  client: 'One client',
  tag: 'Clients with a tag',
  all: 'All clients',
} as const
export type Audience = keyof typeof audiences
