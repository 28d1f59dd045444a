/**
 * The rules that allow tables to be distributed by tenant, and that keep a query from depending on row level security
 * alone (docs/operating.md). `tables`: the tenant tables; `account` is keyed by its id.
 */
export function checkStatement(text: string, tables: ReadonlySet<string>): string[] {
  const tokens = tokenize(text)
  return [
    ...listScopes(tokens).flatMap((scope) => checkScope(scope, tables)),
    ...(/\bselect\s+from\b/i.test(text) ? ['selects no column: write `select 1`'] : []),
  ]
}

type Token = string

/** Lower-case words and quoted names, `$1`, numbers and signs; no comments. A string literal becomes `''`. */
function tokenize(text: string): Token[] {
  const pattern = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"([^"]+)"|\$\d+|[\w$]+|::|[^\s\w]/g
  return [...text.matchAll(pattern)].flatMap(([token, quoted]) => {
    if (token.startsWith('--') || token.startsWith('/*')) return []
    if (token.startsWith("'")) return ["''"]
    return [quoted ?? token.toLowerCase()]
  })
}

/** Each query and subquery by itself: its tokens without those of the subqueries in it. */
function listScopes(tokens: Token[]): Token[][] {
  const scopes: Token[][] = [[]]
  const open: { scope: Token[]; isQuery: boolean }[] = [{ scope: scopes[0]!, isQuery: true }]
  for (const [index, token] of tokens.entries()) {
    const current = open.at(-1)!.scope
    if (token === '(') {
      const isQuery = ['select', 'with', 'insert', 'update', 'delete'].includes(tokens[index + 1] ?? '')
      const scope = isQuery ? [] : current
      current.push('(')
      if (isQuery) scopes.push(scope)
      open.push({ scope, isQuery })
    } else if (token === ')') {
      open.pop()
      open.at(-1)!.scope.push(')')
    } else if (token === 'union') {
      // The branches of a union are queries of their own.
      const branch: Token[] = []
      scopes.push(branch)
      open.at(-1)!.scope = branch
    } else current.push(token)
  }
  return scopes
}

type Reference = { table: string; alias: string }

function checkScope(scope: Token[], tables: ReadonlySet<string>): string[] {
  const insert = scope.indexOf('insert')
  const target = insert < 0 ? undefined : scope[insert + 2]
  const findings: string[] = []
  if (target && tables.has(target)) findings.push(...checkInsert(scope, insert, target))
  const references = listReferences(scope, tables)
  for (const { table, alias } of references) {
    const key = table === 'account' ? 'id' : 'coach_id'
    if (!hasCondition(scope, key, alias, references.length === 1))
      findings.push(`doesn't say "${alias}.${key} = $n" for the table "${table}"`)
  }
  return findings
}

function checkInsert(scope: Token[], insert: number, table: string): string[] {
  const columnsEnd = scope.indexOf(')', insert)
  const columns = scope.slice(insert + 3, columnsEnd)
  return [
    ...(scope[columnsEnd + 1] === 'values' ? [] : [`inserts a select into "${table}": use VALUES`]),
    ...(columns.includes(table === 'account' ? 'id' : 'coach_id') ? [] : [`inserts into "${table}" without the coach`]),
  ]
}

const afterTable = new Set(
  'where set on using join left right inner outer cross full order group limit offset returning for values union having'.split(
    ' ',
  ),
)

/** The tables that a query reads or changes, by their aliases. */
function listReferences(scope: Token[], tables: ReadonlySet<string>): Reference[] {
  const references: Reference[] = []
  let isFromList = false
  for (const [index, token] of scope.entries()) {
    const before = scope[index - 1] ?? ''
    if (['from', 'join', 'update', 'using'].includes(token)) isFromList = true
    else if (['where', 'set', 'on', 'order', 'group', 'returning', 'select', 'limit'].includes(token))
      isFromList = false
    const isTable = tables.has(token) && scope[index + 1] !== '.' && before !== '.'
    const isListed = ['from', 'join', 'update', 'using', 'only'].includes(before) || (before === ',' && isFromList)
    // `for update of x`, `on conflict … do update set`, `extract(epoch from x)`.
    if (!isTable || !isListed) continue
    const next = scope[index + 1] === 'as' ? scope[index + 2] : scope[index + 1]
    const hasAlias = next !== undefined && /^[a-z_]/.test(next) && !afterTable.has(next)
    references.push({ table: token, alias: hasAlias ? next : token })
  }
  return references
}

/** `alias.key = $n`, or without the alias in a query of a single table. MikroORM writes numbers, and tuples of keys. */
function hasCondition(scope: Token[], key: string, alias: string, isOnly: boolean): boolean {
  return scope.some((token, index) => {
    if (token !== key) return false
    const isQualified = scope[index - 1] === '.'
    if (isQualified ? scope[index - 2] !== alias : !isOnly) return false
    return scope[index + 1] === '=' && /^(\$\d+|\d+|'')$/.test(scope[index + 2] ?? '')
  })
}
