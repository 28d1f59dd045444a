import { p } from '@mikro-orm/core'

export const columns = {
  /** Every tenant table begins with these. Keys are `(coach_id, id)`: no row can refer to another tenant's. */
  tenant: {
    // `returning`, or MikroORM loses the first column of a composite key when the second one is generated.
    coachId: p.bigint('number').primary().returning(),
    id: p.bigint('number').primary().autoincrement(),
  },
  /** Set while the row is in the trash; 30 days later it is erased. */
  trash: { deletedAt: p.datetime(3).nullable() },
  /** Counts the edits of a row, so that a save from a stale tab is detected. */
  version: { version: p.integer().default(1) },
  timestamps: {
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
}

/**
 * A reference to a record of the same tenant, by the foreign key `(coach_id, <column>)`. `cascade`: this row is erased
 * with that record. `no action`: add `.nullable()`; the column is set to null before that record is erased
 * (modules/core/trash.ts).
 */
export const tenantReference = <Target extends Parameters<typeof p.manyToOne>[0]>(
  target: Target,
  column: string,
  onErase: 'cascade' | 'no action',
) =>
  p
    .manyToOne(target)
    .ref()
    .joinColumns('coach_id', column)
    .ownColumns(column)
    .updateRule('no action')
    .deleteRule(onErase)

/** A check constraint. */
export const check = (name: string, expression: string) => ({ name, expression })

/** Check constraints `<table>_<column>_length`: at most `max` code points. */
export const lengthChecks = (table: string, max: number, columns: string[]) =>
  columns.map((column) => check(`${table}_${column}_length`, maxLength(column, max)))

/** SQL of a check that a text column has at most `max` code points. */
export const maxLength = (column: string, max: number): string => `char_length(${column}) <= ${max}`

/** SQL of a check that a column has one of `values`. */
export const allowedValues = (column: string, values: readonly string[]): string =>
  `${column} in (${values.map((value) => `'${value}'`).join(', ')})`

/** An index that MikroORM's own options can't describe: `rest` is the SQL after the table's name. */
export const sqlIndex = (name: string, rest: string, { unique = false } = {}) => ({
  name,
  expression: (_columns: unknown, table: { name: string }, index: string) =>
    `create ${unique ? 'unique ' : ''}index "${index}" on "${table.name}" ${rest}`,
})
