import type { ModuleExport } from '../core/manifest.ts'
import { exportCsv } from './csv/export.ts'
import { streamClients } from './queries/export.ts'

export const practiceExport: ModuleExport = {
  tables: {
    client_import: { partly: 'imports in progress', where: `r.status not in ('running', 'undoing')` },
    imported_client: {
      partly: 'clients of imports in progress',
      where: `exists (
        select 1 from client_import i
        where i.coach_id = $1 and i.id = r.import_id and i.status not in ('running', 'undoing'))`,
    },
  },
  csv: [
    { name: 'Clients to import.csv', write: (ctx) => exportCsv(streamClients(ctx, 'current')) },
    { name: 'Archived clients to import.csv', write: (ctx) => exportCsv(streamClients(ctx, 'archive')) },
  ],
}
