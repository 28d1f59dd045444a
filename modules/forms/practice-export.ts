import type { ModuleExport } from '../core/manifest.ts'
import { exportAllAnswers } from './export.ts'

export const practiceExport: ModuleExport = {
  csv: [{ name: 'Answers.csv', write: exportAllAnswers }],
  fileNames: `select stored_file_id as id, file_name as name from form_file
    where coach_id = $1 and stored_file_id = any($2::bigint[])`,
}
