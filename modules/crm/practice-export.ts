import type { ModuleExport } from '../core/manifest.ts'
import { exportCsv } from './csv/export.ts'
import { streamClients } from './queries/export.ts'

export const practiceExport: ModuleExport = {
  tables: {
    client_import: { partly: 'imports in progress', where: `r.status <> 'running'` },
  },
  csv: [
    { name: 'Clients to import.csv', write: (ctx) => exportCsv(streamClients(ctx, 'current')) },
    { name: 'Archived clients to import.csv', write: (ctx) => exportCsv(streamClients(ctx, 'archive')) },
  ],
}
