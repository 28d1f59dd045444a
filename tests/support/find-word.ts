import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { asOwner } from './as-db-owner.ts'

/** Every table, also of jobs, that has `word` in one of its columns. */
export const findTablesWith = (ownerUrl: string, coachId: number, word: string): Promise<string[]> =>
  asOwner(ownerUrl, async (db) => {
    const { rows: tables } = await db.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition
          and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    )
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    const found: string[] = []
    for (const { name } of tables) {
      const text = `select exists (select 1 from ${name} t where strpos(to_jsonb(t)::text, $1) > 0) as found`
      if ((await db.query<{ found: boolean }>(text, [word])).rows[0]!.found) found.push(name.replace(/^public\./, ''))
    }
    return found.sort()
  })

/** Every file of the installation, such as sent emails and uploads, that has `word`. */
export function findFilesWith(dataDir: string, word: string): string[] {
  if (!existsSync(dataDir)) return []
  return globSync('**/*', { cwd: dataDir })
    .filter((name) => !/^(postgres|pg|database)/.test(name))
    .map((name) => path.join(dataDir, name))
    .filter((name) => statSync(name).isFile() && readFileSync(name).includes(word))
}
