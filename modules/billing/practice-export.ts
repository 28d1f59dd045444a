import type { ModuleExport } from '../core/manifest.ts'
import { exportLedger } from './exports/ledger.ts'
import { listPrintedFiles } from './queries/printed-files.ts'

export const practiceExport: ModuleExport = {
  csv: [{ name: 'Ledger.csv', write: (ctx) => exportLedger(ctx, { from: '0001-01-01', to: '9999-12-31' }) }],
  files: listPrintedFiles,
}
