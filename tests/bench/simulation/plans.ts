import pg from 'pg'
import { addMonths } from '#app/lib/time.ts'
import { statementChannel, type Statement } from '#db/pg-pipeline.ts'
import { filledTables } from './rows.ts'

/** The main requests of a coach, by what they show. */
export function listRequests(now: Date): Record<string, string> {
  const month = now.toISOString().slice(0, 7)
  return {
    clients: '/api/clients?limit=50',
    'calendar month': `/api/appointments?from=${month}-01T00:00:00Z&to=${addMonths(month, 1)}-01T00:00:00Z`,
    payments: '/api/payments?limit=50',
    dashboard: '/api/dashboard/stats',
    search: '/api/search?q=m%C3%BCller',
    'search of texts': '/api/search?in=content&q=evenings',
    analytics: '/api/analytics?period=last-quarter',
    tasks: '/api/tasks',
    prospects: '/api/prospects',
    interactions: '/api/client-interactions',
    activities: '/api/activities',
  }
}

/** Returns the statements that the services send while `work` runs. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const record = (message: unknown) => void statements.push(message as Statement)
  statementChannel.subscribe(record)
  try {
    await work()
  } finally {
    statementChannel.unsubscribe(record)
  }
  return statements.filter(({ text }) => /^[\s(]*(select|with|insert|update|delete)\b/i.test(text))
}

/**
 * Explains statements as the serving role, in a transaction of the coach. Returns one sentence for each table that is
 * read without an index on the coach. `isSmall`: Postgres reads small tables whole unless it is forbidden to.
 */
export async function findUnindexedReads(
  appUrl: string,
  coachId: number,
  statements: Statement[],
  { isSmall }: { isSmall: boolean },
): Promise<string[]> {
  const app = new pg.Client({ connectionString: appUrl })
  await app.connect()
  try {
    await app.query('begin')
    await app.query(`select set_config('app.coach_id', $1, true)`, [coachId])
    if (isSmall) await app.query('set local enable_seqscan = off')
    const findings: string[] = []
    for (const { text, values = [] } of statements) {
      const { rows } = await app.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (format json) ${text}`, values)
      findings.push(...checkNode(rows[0]!['QUERY PLAN'][0]!.Plan).map((finding) => `${finding}:\n${text}`))
    }
    return findings
  } finally {
    await app.end()
  }
}

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

function checkNode(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table } = node
  const plans = node.Plans ?? []
  // The condition of a bitmap scan is in the scans of its indexes.
  const conditions = type === 'Bitmap Heap Scan' ? listIndexScans(plans) : [node]
  const column = table === 'account' ? /\bid = / : /\bcoach_id = /
  const isRead = table !== undefined && filledTables.includes(table) && type.endsWith('Scan')
  const isIndexed = conditions.every(({ 'Index Cond': condition = '' }) => column.test(condition))
  return [...(isRead && !isIndexed ? [`${type} of ${table} without the coach`] : []), ...plans.flatMap(checkNode)]
}

const listIndexScans = (nodes: PlanNode[]): PlanNode[] =>
  nodes.flatMap((node) => (node['Node Type'] === 'Bitmap Index Scan' ? [node] : listIndexScans(node.Plans ?? [])))
