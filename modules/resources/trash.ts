import type { RecordKind } from '#modules/core/manifest.ts'
import { isClientInTrash } from '#modules/crm/index.ts'
import { resourceTypes } from './fields.ts'
import { folder, resource } from './records.ts'
import { restoreResource } from './services/files.ts'
import { restoreFolder } from './services/folders.ts'

const permission = 'resources:resource'

export const recordKinds: RecordKind[] = [
  resource.recordKind({
    permission,
    title: 'r.name',
    to: `'/resources/' || r.id`,
    hidden: isClientInTrash('r'),
    restore: restoreResource,
    eraseNote: 'The file and its versions are deleted, and its links stop.',
    fields: {
      type: { label: 'Type', valueLabels: resourceTypes },
      tags: 'Tags',
      url: 'Address',
      size: 'Bytes',
      content_type: 'Type of file',
      is_shared: { label: 'Sharing', valueLabels: { true: 'Shared', false: 'Not shared' } },
    },
  }),
  folder.recordKind({ permission, title: 'r.name', to: `'/resources?folder=' || r.id`, restore: restoreFolder }),
]
