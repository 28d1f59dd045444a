import type { ModuleExport } from '../core/manifest.ts'
import { exportResources } from './export.ts'
import { resourcesExportUrl } from './list-state.ts'

export const practiceExport: ModuleExport = {
  tables: {
    resource: {
      values: {
        // Without the links that are revoked below.
        is_shared: `exists (select 1 from resource_share s where s.coach_id = $1 and s.resource_id = r.id
          and s.revoked_at is null and s.password_hash is null)`,
      },
    },
    resource_share: {
      partly: 'passwords of shared links: these links are revoked',
      values: {
        password_hash: 'null',
        // Without its password anyone could open it.
        revoked_at: 'case when r.password_hash is null then r.revoked_at else coalesce(r.revoked_at, r.created_at) end',
      },
    },
  },
  csv: [{ name: 'Resources.csv', write: (ctx) => exportResources(ctx, resourcesExportUrl.parse('http://localhost/')) }],
  fileNames: `select stored_file_id as id, file_name as name from resource_version
    where coach_id = $1 and stored_file_id = any($2::bigint[])`,
}
