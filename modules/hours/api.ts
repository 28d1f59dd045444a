import { resource } from '#tenants/api/resource.ts'
import { NewEntry, EntryEdit } from './forms.ts'
import { getEntry, listEntries } from './queries/entries.ts'
import { entry } from './records.ts'
import { createEntry, deleteEntry, restoreEntry, updateEntry } from './services/entries.ts'

export const operations = resource({
  path: '/hours-entries',
  tag: 'Coaching hours',
  noun: 'hours entry',
  output: entry.output,
  get: getEntry,
  list: { description: 'Hours of coaching outside the product, newest first.', run: listEntries },
  create: { description: 'Minutes, of which some are greater than 0.', body: NewEntry, run: createEntry },
  update: { body: EntryEdit, run: updateEntry },
  delete: { run: deleteEntry },
  restore: restoreEntry,
})
