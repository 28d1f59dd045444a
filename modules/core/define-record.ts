import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Field, Fields, Input, Value } from '#app/lib/fields.ts'
import { centsToDecimal } from '#app/lib/money.ts'
import { parseId } from '#app/lib/url.ts'
import {
  cents,
  date,
  dollars,
  email,
  emptyAsNull,
  isoInstant,
  multiLine,
  price,
  requiredLine,
  singleLine,
  tags,
  tagsText,
  timezone,
  wholeNumber,
} from '#app/lib/zod-types.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { FieldLabel, RecordKind } from './manifest.ts'

type FieldType = {
  /** How the API takes it, and how a form sends it where that differs. */
  input: z.ZodType
  form?: z.ZodType
  output: z.ZodType
  /** SQL that reads the column. */
  sql?: (column: string) => string
  /** How the history shows its values. */
  history?: { as: 'cents' | 'dollars' | 'time' | 'markup' } | { valueLabels: Record<string, string> } | { of: string }
}

/** Defines each kind of field in the API, in a form, in SQL and in the history. */
function fieldType(field: Field): FieldType {
  const { required } = field
  switch (field.kind) {
    case 'line':
      return { input: required ? requiredLine(required, field.max) : singleLine(field.max), output: z.string() }
    case 'text':
      return { input: multiLine(field.max), output: z.string() }
    case 'email':
      return { input: email(required), output: z.string() }
    case 'timezone':
      return { input: timezone(), output: z.string() }
    case 'markup':
      return { input: multiLine(), output: z.string(), history: { as: 'markup' } }
    case 'percent':
      return { input: wholeNumber(100), form: formNumber(wholeNumber(100)), output: z.int() }
    case 'price':
      return {
        input: price(required),
        form: dollars(required).transform(centsToDecimal),
        output: z.string().describe('Dollars with two decimals, such as "150.00"'),
        sql: (column) => `${column}::text`,
        history: { as: 'dollars' },
      }
    case 'cents':
      return {
        input: cents(required),
        form: dollars(required),
        output: z.int().describe('Cents'),
        history: { as: 'cents' },
      }
    case 'count':
      return { input: countingNumber(field.min ?? 1, field.max), output: z.int() }
    case 'choice': {
      const values = Object.keys(field.choices)
      const error = ({ input }: { input: unknown }) => (required && !input ? required : field.message)
      return { input: z.enum(values, { error }), output: z.enum(values), history: { valueLabels: field.choices } }
    }
    case 'flag': {
      const [on = '', off = ''] = Object.keys(field.choices)
      const form = z.enum([on, off], field.message).transform((value) => value === on)
      return {
        input: z.boolean(),
        form,
        output: z.boolean(),
        history: { valueLabels: { true: field.choices[on]!, false: field.choices[off]! } },
      }
    }
    case 'tags':
      return { input: tags(), form: tagsText(), output: z.array(z.string()) }
    case 'instant':
      return { input: isoInstant(required), output: z.iso.datetime(), sql: isoTimestamp, history: { as: 'time' } }
    case 'date':
      return { input: date(), output: z.iso.date(), sql: (column) => `${column}::text` }
    case 'reference':
      return {
        input: z.int(required).positive(required),
        form: idText(required),
        output: z.int(),
        history: { of: field.to },
      }
  }
}

/** Text that isn't a number counts as 0. Source: part-1 §2. */
const formNumber = (schema: z.ZodType) =>
  z.preprocess((sent) => (typeof sent === 'string' ? Number(sent) || 0 : sent), schema)
const countingNumber = (min: number, max: number) =>
  z.preprocess(
    (sent) => (typeof sent === 'string' && /^\d{1,6}$/.test(sent) ? Number(sent) : sent),
    z
      .int('Enter a whole number')
      .min(min, `Enter at least ${min}`)
      .max(max, `Enter at most ${max.toLocaleString('en-US')}`),
  )
const idText = (message?: string) => z.preprocess((sent) => parseId(sent) || undefined, z.int(message))

const toJson = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null))

/** An output without a field of its own: an instant, by its column. For `computed`. */
export const timestamp = (column: string) => ({ output: z.iso.datetime(), sql: isoTimestamp(column) })

type Computed = Record<string, { output: z.ZodType; sql: string }>
type InputShape<F extends Fields> = {
  [N in keyof F as F[N] extends { readonly: true } ? never : N]: z.ZodType<Input<F[N]>>
}
type OutputShape<F extends Fields, C extends Computed> = typeof identity & {
  [N in keyof F]: z.ZodType<Value<F[N]>>
} & { [N in keyof C]: C[N]['output'] }

const identity = { id: z.int(), coachId: z.int(), createdAt: z.iso.datetime() }
/** An edit form also sends the record's id and the version that it was opened with. */
const editing = { id: z.preprocess(parseId, z.int()), version: z.preprocess(parseId, z.int()) }
/** The column that stores a field. */
export const columnName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Derives what follows from a record's fields. Where a call or a form differs, use zod's `extend`, `pick` and `omit` on
 * the result.
 */
export function defineRecord<const F extends Fields, const C extends Computed = Record<never, never>>(definition: {
  /** The table, also the kind in URLs. */
  kind: string
  /** Singular, as coaches read it: 'Product'. */
  label: string
  /** The alias of the table in the queries that use `select`, if they join others. */
  alias?: string
  fields: F
  /** Outputs that are no fields, or that replace a field's: their own zod and SQL. */
  computed?: C
}) {
  const { kind, label, fields, alias, computed = {} as C } = definition
  const column = (name: string): string => (alias ? `${alias}.${columnName(name)}` : columnName(name))
  const columns = Object.entries(fields).map(([name, field]) => ({ name, field, type: fieldType(field) }))

  const inputs = (schema: (type: FieldType) => z.ZodType, { defaults }: { defaults: boolean }) => {
    const shape = columns.flatMap(({ name, field, type }) => {
      if (field.readonly) return []
      const own = field.optional ? emptyAsNull(schema(type)) : schema(type)
      return [[name, defaults && 'default' in field ? own.default(field.default as never) : own]]
    })
    return z.object(Object.fromEntries(shape) as InputShape<F>)
  }
  const output = {
    ...identity,
    ...Object.fromEntries(
      columns.map(({ name, field, type }) => [
        name,
        field.optional || field.nullable ? type.output.nullable() : type.output,
      ]),
    ),
    ...Object.fromEntries(Object.entries(computed).map(([name, own]) => [name, own.output])),
  } as OutputShape<F, C>
  const historyLabel = ({ field, type }: (typeof columns)[number]): FieldLabel =>
    type.history ? { label: field.label, ...type.history } : field.label

  return {
    kind,
    fields,
    /** The API's input: for a new record, and for a change, in which every field may be missing. */
    create: inputs((type) => type.input, { defaults: true }),
    update: inputs((type) => type.input, { defaults: false }).partial(),
    /** The same as a form sends it. */
    form: inputs((type) => type.form ?? type.input, { defaults: true }),
    editForm: inputs((type) => type.form ?? type.input, { defaults: false })
      .partial()
      .extend(editing),
    /** The API's output, and the SQL that selects it. */
    output: z.object(output),
    select: [
      `${column('id')}, ${column('coachId')} as "coachId", ${isoTimestamp(column('createdAt'))} as "createdAt"`,
      ...columns
        .filter(({ name }) => !Object.hasOwn(computed, name))
        .map(({ name, type: { sql = String } }) => `${sql(column(name))} as "${name}"`),
      ...Object.entries(computed).map(([name, own]) => `${own.sql} as "${name}"`),
    ].join(', '),
    /** Its entry in the trash and the history. `permission`: without the verb. `fields`: labels of other columns. */
    recordKind: ({
      permission,
      fields: otherColumns = {},
      ...more
    }: Omit<RecordKind, 'kind' | 'label' | 'fields' | 'permission'> & {
      permission: `${string}:${string}`
      fields?: RecordKind['fields']
    }): RecordKind => ({
      kind,
      label,
      fields: {
        ...Object.fromEntries(columns.map((column) => [columnName(column.name), historyLabel(column)])),
        ...otherColumns,
      },
      permission: { read: `${permission}:read`, write: `${permission}:write` },
      ...more,
    }),
    /** An entity as the API returns it. Use `select` for columns that SQL converts. */
    fromEntity: (entity: Record<string, unknown>): z.output<z.ZodObject<OutputShape<F, C>>> =>
      Object.fromEntries(Object.keys(output).map((name) => [name, toJson(entity[name])])) as z.output<
        z.ZodObject<OutputShape<F, C>>
      >,
    notFound: () => new AppError('not_found', `${label} not found`, { subject: label.toLowerCase() }),
    /** Throws conflict when the record was saved after the version `seen` was shown. */
    assertVersion({ version }: { version: number }, seen: number | undefined): void {
      if (seen === undefined || seen === version) return
      throw new AppError('conflict', `This ${label.toLowerCase()} was changed in another tab.`, {
        subject: label.toLowerCase(),
      })
    },
  }
}
